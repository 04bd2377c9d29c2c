// Verifies: SSOT 4.4 (2), (10): a line that counts calls counts those that its reader sees.
import { type PartForm, viewAfterOmission } from "@cm/context-log";
import { expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { lines, Script } from "../support/script.ts";

const long = lines(40);
const pointer: PartForm = { form: "pointer", runs: [{ line: 0, count: 40, in: "2", from: 0 }] };

it.each<[string, PartForm, string]>([
  ["same text", { form: "same", as: "2" }, "the same 40 lines of a.ts as"],
  ["changed text", { form: "diff", from: "2" }, "below is what changed since"],
  ["same lines", pointer, "the same as lines 1-40 of the output"],
])("%s is so many calls above as stand, when one between them has left", (_, form, words) => {
  const script = new Script();
  script.read("a.ts", long);
  script.call("bash", { command: "make" }, "It is made.");
  script.read("a.ts", form.form === "diff" ? long.replace("number 7", "number seven") : long);
  const view = script.session.view();
  const forms = { 6: form };
  const shown = (of: ReturnType<typeof logLayout.render>) => of.messages.at(-1);

  const before = shown(logLayout.render(view, { forms }));
  const left = viewAfterOmission(view, { forms, omit: [[3, 5]] });
  const after = shown(logLayout.render(left.view, left.decision));

  expect(before?.text).toContain(`${words} 2 calls above`);
  expect(after?.text).toContain(`${words} 1 call above`);
  expect(after?.id).not.toBe(before?.id);
});
