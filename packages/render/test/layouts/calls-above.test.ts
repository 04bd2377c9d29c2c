// Verifies: SSOT 4.4 (2), (10): a line that counts calls counts those that its reader sees.
import { indexedView, type LogEntry, type PartForm, viewAfterOmission } from "@cm/context-log";
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

it.each([
  ["has no result yet", ["ask a", "answer a", "ask b", "ask c", "answer c"]],
  ["had its result late", ["ask a", "answer a", "ask b", "ask c", "answer b", "answer c"]],
])("a call between them counts where it was made, also where it %s", (_, said) => {
  const log = said.map((words, place): LogEntry => {
    const [kind, id = ""] = words.split(" ");
    const call = { callId: id, tool: "bash", args: {}, object: id, files: [] };
    const entry = { at: place, step: 0, turn: 0, text: long };
    if (kind === "ask") return { kind: "assistant", ...entry, text: "", thinking: [], calls: [call] };
    return { kind: "result", ...entry, ...call, status: "ok", attachments: [], spans: [] };
  });
  const view = indexedView({ ...new Script().session.view(), log, forms: new Map() });

  const { messages } = logLayout.render(view, { forms: { [log.length - 1]: { form: "same", as: "1" } } });

  expect(messages.at(-1)?.text).toContain("as 2 calls above");
});
