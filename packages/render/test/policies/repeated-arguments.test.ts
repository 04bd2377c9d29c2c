// Verifies: SSOT 4.4 (2): results that show what their call wrote, and edits that were made.
import { describe, expect, it } from "vitest";
import { cutArgs } from "../../src/layouts/log/cut-text.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { lines, numberedLines, Script } from "../support/script.ts";

describe("a result that shows what its call wrote", () => {
  const write = { path: "a.ts", content: lines(20) };

  it.each([
    ["as it was written", lines(20), 20],
    ["with line numbers", numberedLines(20), 20],
    ["only a part of it", lines(20).split("\n").slice(3, 15).join("\n"), 12],
  ])("keeps what the tool says of its own and a line for the rest: %s", (_, shown, count) => {
    const script = new Script();
    const call = script.call("write", write, `The file a.ts now reads:\n${shown}`);

    expect(script.request().shown(call)).toBe(
      `The file a.ts now reads:\n[cm: ${count} lines left out that repeat the call's arguments; cm_context show t1]`,
    );
  });

  it("keeps what the tool says behind the lines, too", () => {
    const script = new Script();
    const said = ["The file a.ts now reads:", "Review the changes and make sure they are as expected."];
    const call = script.call("write", write, `${said[0]}\n${numberedLines(20)}\n\n${said[1]}\n`);

    expect(script.request().shown(call)).toBe(
      `${said[0]}\n[cm: 20 lines left out that repeat the call's arguments; cm_context show t1]\n${said[1]}`,
    );
  });

  it.each([
    ["where a line is another one", `Written:\n${lines(20)}\nand more`, {}],
    ["where there is more above the numbered lines", `Written:\nWith a warning.\n${numberedLines(20)}`, {}],
    ["where the call failed", `Not written:\n${lines(20)}`, { failed: true }],
    ["where it says more of its own than it repeats", `${"Formatted. ".repeat(25)}\nline number 3 of`, {}],
    ["where it is one line", lines(20).split("\n").join(" "), {}],
  ])("stands whole %s", (_, text, options) => {
    const script = new Script();
    const call = script.call("write", write, text, options);

    expect(script.request().shown(call)).toBe(text);
  });

  it("keeps the arguments alive that it points at, while it is needed itself", () => {
    const script = new Script(contextLogPolicy({ retentionBudget: 0 }));
    const call = script.call("write", write, `Written:\n${lines(20)}`);
    script.session.pinned.add(call);
    script.say("Next.");
    script.idle(30);
    script.session.cache = "cold";

    const { prompt, shown } = script.request();

    expect(shown(call)).toContain("20 lines left out that repeat the call's arguments");
    expect(argsOf(prompt.messages, call)).toEqual(write);
  });
});

describe("arguments that are shortened", () => {
  it("keep a path, which a cut would hardly make shorter", () => {
    const path = `/home/someone/projects/${"deep/".repeat(8)}manual_commit_condensation.go`;
    const content = lines(20);
    const args = cutArgs({ path, content }, "t1.input");

    expect(args.path).toBe(path);
    expect(args.content).toBe(
      `${content.slice(0, 30)} [cm: ${content.length - 30} characters left out; cm_context show t1.input]`,
    );
  });
});

describe("a patch that is shortened", () => {
  it("still names its first file", () => {
    const patch = `*** Begin Patch\n*** Update File: packages/deep/src/a.ts\n@@\n-${lines(20, "old")}\n*** End Patch`;
    const begins = "*** Begin Patch\n*** Update File: packages/deep/src/a.ts";
    const { input } = cutArgs({ input: patch }, "t1.input");

    expect(input).toBe(`${begins} [cm: ${patch.length - begins.length} characters left out; cm_context show t1.input]`);
  });
});

describe("an edit at a fold", () => {
  const edit = { path: "a.ts", oldText: lines(20, "old"), newText: lines(3, "new") };
  const afterFold = (options: { readonly failed?: boolean; readonly turns?: number }): unknown => {
    const script = new Script(contextLogPolicy({ retentionBudget: 1 }));
    const call = script.call("edit", edit, "Done.", options);
    for (let turn = 0; turn < (options.turns ?? 1); turn += 1) script.say("Next.");
    script.idle(5);
    script.session.cache = "cold";
    return argsOf(script.request().prompt.messages, call);
  };

  it("that was made loses the text that it replaced", () => {
    const start = edit.oldText.slice(0, 30);
    const mark = ` [cm: ${edit.oldText.length - 30} characters left out; cm_context show t1.input]`;
    expect(afterFold({})).toEqual({ ...edit, oldText: start + mark });
  });

  it("that failed keeps it", () => {
    expect(afterFold({ failed: true })).toEqual(edit);
  });

  it("keeps it in its own turn", () => {
    expect(afterFold({ turns: 0 })).toEqual(edit);
  });
});

function argsOf(messages: ReturnType<Script["request"]>["prompt"]["messages"], callId: string): unknown {
  return messages.flatMap(({ calls = [] }) => calls).find((call) => call.callId === callId)?.args;
}
