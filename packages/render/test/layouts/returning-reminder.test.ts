// Verifies: SSOT 4.4 (2), (10): a prompt is rebuilt as it was sent, whatever left it before.
import { viewAfterOmission } from "@cm/context-log";
import { expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { numberedLines, Script } from "../support/script.ts";

const reminder = "\n\n<system-reminder>\nBe careful with what you read.\n</system-reminder>\n";

it("a reminder stands again once the result that showed it first has left", () => {
  const script = new Script();
  script.read("a.ts", `${numberedLines(30, "a")}${reminder}`);
  script.request();
  script.call("bash", { command: "make" }, "It is made.");
  script.request();
  script.read("b.ts", `${numberedLines(30, "b")}${reminder}`);
  script.request();
  const view = script.session.view();
  const first = view.log.find((entry) => entry.kind === "assistant")?.at ?? expect.unreachable();
  const textOf = ({ messages }: ReturnType<typeof logLayout.render>) => messages.map(({ text }) => text).join("\n");

  const before = textOf(logLayout.render(view, {}));
  const after = viewAfterOmission(view, { omit: [[first, first + 2]] });
  const left = textOf(logLayout.render(after.view, after.decision));
  const alone = viewAfterOmission({ ...view, log: structuredClone(view.log) }, { omit: [[first, first + 2]] });

  expect(before.split("<system-reminder>")).toHaveLength(2);
  expect(left).toContain("b number");
  expect(left).toBe(textOf(logLayout.render(alone.view, alone.decision)));
  expect(left.split("<system-reminder>")).toHaveLength(2);
});
