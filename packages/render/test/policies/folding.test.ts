// Verifies: SSOT 4.4 (3) to (7)
import { defaultPrices, indexedView, type PromptMessage } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { resultInForm } from "../../src/layouts/log/result.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { foldedCold, foldsNothing, lines, Script } from "../support/script.ts";

const folded = /^\[cm: \d+ lines(?: of a\.ts)? left out(?:, changed since)?; cm_context show t\d+\]$/;

describe("a fold", () => {
  it("comes when the rent of dead text exceeds the price of the cut, and says where and why", () => {
    const script = new Script();
    const output = script.call("bash", { command: "make" }, lines(500));
    let cut: number | undefined;
    for (let call = 0; call < 30 && cut === undefined; call += 1) {
      script.idle(1);
      const { decision } = script.request();
      if (decision.fold !== undefined) {
        expect(decision.fold).toEqual({ cut: 2, reason: "rent" });
        expect(decision.forms?.[2]).toEqual({ form: "reference" });
        cut = decision.fold.cut;
      }
    }

    expect(cut).toBe(2);
    expect(script.request().shown(output)).toMatch(folded);
  });

  it("keeps names in the prompt, and none of them in what the step records", () => {
    const script = new Script();
    const output = script.call("bash", { command: "make" }, `${lines(500)}\nwrote build/secret_looking_name.map`);
    script.idle(3);
    script.session.cache = "cold";

    const { decision, shown } = script.request();

    expect(shown(output)).toContain("secret_looking_name");
    expect(JSON.stringify(decision)).not.toContain("secret");
  });

  it("takes all that is dead when the cache is cold, and nothing else", () => {
    const script = new Script();
    const waiting = script.read("a.ts", lines(30));
    const output = script.call("bash", { command: "make" }, lines(30));
    script.idle(3);
    const newest = script.call("bash", { command: "make" }, lines(30, "new"));
    script.session.cache = "cold";

    const { decision, shown } = script.request();

    expect(decision.fold?.reason).toBe("cold");
    expect(Object.keys(decision.forms ?? {})).toEqual(["4"]);
    expect(shown(output)).toMatch(folded);
    expect(shown(waiting)).toBe(lines(30));
    expect(shown(newest)).toBe(lines(30, "new"));
  });

  it.each([
    ["package.json", "40 lines of package.json left out;"],
    ["x/package.json", "40 lines of package.json left out, changed since;"],
  ])("says that a file changed where it did, and not another one of its name: %s", (patched, said) => {
    const script = new Script();
    const read = script.call("exec_command", { cmd: "cat x/package.json" }, lines(40));
    const input = `*** Begin Patch\n*** Update File: ${patched}\n@@\n-a\n+b\n*** End Patch`;
    script.call("apply_patch", { input }, "Success.");
    for (let turn = 0; turn < 3; turn += 1) {
      script.say("Go on.");
      script.idle(25);
    }
    script.session.cache = "cold";

    expect(script.request().shown(read)).toContain(said);
  });

  it("leaves no line of a harness beside a file's, for it is none of those counted", () => {
    const script = new Script();
    const rows = Array.from(
      { length: 30 },
      (_, row) => `${row + 1}`.padStart(6) + (row === 3 ? "→maxRetries = 3;" : "→x"),
    );
    const reminder = "\n\n<system-reminder>\nWhenever you read a file, be careful.\n</system-reminder>\n";
    const read = script.call("Read", { file_path: "a.ts" }, rows.join("\n") + reminder);
    for (let turn = 0; turn < 3; turn += 1) {
      script.say("Go on.");
      script.idle(25);
    }
    script.session.cache = "cold";

    expect(script.request().shown(read)).toBe(
      "[cm: 30 lines of a.ts left out, 1 of them below; words in the rest: system-reminder; cm_context show t1]\nmaxRetries = 3;",
    );
  });

  const codexHead = "Chunk ID: 1a2b3c\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\n";
  it.each([
    ["a command's own lines, without what the harness puts before them", "make", lines(30), "30 lines left out"],
    ["which lines of a file it printed", "sed -n '521,920p' a.ts", lines(30), "lines 521-550 of a.ts left out"],
    ["how long a file is that ends before", "sed -n '1,220p' a.ts", lines(30), "30 lines of a.ts left out"],
    ["that nothing was printed", "sed -n '240,620p' a.ts", "", "an empty output of a.ts left out"],
  ])("says %s", (_, command, printed, expected) => {
    const script = new Script();
    const output = script.call("exec_command", { cmd: command }, `${codexHead}${printed}`);
    const entry = script.session.view().log.find((one) => one.kind === "result" && one.callId === output);
    if (entry?.kind !== "result") throw new Error("no result");

    const { text } = resultInForm(script.session.view(), entry, { form: "reference" });

    expect(text).toMatch(new RegExp(`^\\[cm: ${expected}; cm_context show t\\d+\\]$`));
  });

  it("leaves a short session alone", () => {
    const script = new Script();
    script.call("bash", { command: "make" }, lines(20));
    script.idle(8);

    expect(script.request().decision).toEqual({});
  });

  it("is never made for small parts alone, however many", () => {
    const script = new Script();

    for (let call = 0; call < 200; call += 1) {
      script.call("bash", { command: "ls" }, lines(7, `file ${call % 7}`));
      expect(script.request().decision.fold).toBeUndefined();
    }
  });

  it("leaves alone what is hardly longer than its reference", () => {
    const script = new Script();
    const long = script.call("bash", { command: "make" }, lines(30));
    const short = script.call("edit", { path: "a.ts" }, "Successfully replaced 1 block(s) in packages/shop/src/a.ts.");
    script.idle(4);
    script.session.cache = "cold";

    const { shown } = script.request();

    expect(shown(long)).toMatch(folded);
    expect(shown(short)).toBe("Successfully replaced 1 block(s) in packages/shop/src/a.ts.");
  });

  it("retains file text within the budget", () => {
    const cold = (retentionBudget: number): string => {
      const script = new Script(contextLogPolicy({ retentionBudget }));
      script.read("a.ts", lines(100));
      script.nextTurn();
      script.idle(14);
      script.session.cache = "cold";
      return script.request().shown("c0");
    };

    expect(cold(0)).toMatch(folded);
    expect(cold(1)).toBe(lines(100));
  });

  it("folds a file that was edited since sooner than one that waits", () => {
    const script = new Script();
    const used = script.read("a.ts", lines(30));
    const waiting = script.read("b.ts", lines(30, "b"));
    script.call("edit", { path: "a.ts", oldText: "line number 3 of", newText: "x" }, "Done.");
    script.idle(6);
    script.session.cache = "cold";

    const { shown } = script.request();

    expect(shown(used)).toMatch(folded);
    expect(shown(waiting)).toBe(lines(30, "b"));
  });

  it("keeps what a living reference points at", () => {
    const script = new Script();
    const first = script.read("a.ts", lines(60));
    script.call("edit", { path: "a.ts", oldText: "number 30 of", newText: "number thirty of" }, "Done.");
    const again = script.read("a.ts", lines(60).replace("number 30 of", "number thirty of"));
    script.idle(10);
    script.session.cache = "cold";

    const { shown } = script.request();

    expect(shown(again)).toContain("below is what changed since 2 calls above");
    expect(shown(first)).toBe(lines(60));
  });

  it("never takes a pinned object, by call or by file", () => {
    const script = new Script();
    const byCall = script.call("bash", { command: "make" }, lines(30));
    const byFile = script.read("a.ts", lines(30, "file"));
    const [file = ""] = [...script.session.index].filter((id) => script.session.objects.get(id)?.kind === "file");
    script.session.pinned.add(byCall).add(file);
    script.say("Next.");
    script.idle(20);
    script.session.cache = "cold";

    const { shown } = script.request();

    expect(shown(byCall)).toBe(lines(30));
    expect(shown(byFile)).toBe(lines(30, "file"));
  });

  it("leaves the newest calls whole, also dismissed ones", () => {
    const script = new Script();
    const dismissed = script.read("a.ts", lines(30));
    script.session.dismissed.add(dismissed);
    script.session.cache = "cold";

    expect(script.request().shown(dismissed)).toBe(lines(30));
  });

  it("takes a dismissed object at once where the cache is cold, also a pinned one", () => {
    const script = new Script(contextLogPolicy({ retentionBudget: 1 }));
    const dismissed = script.read("a.ts", lines(30));
    script.idle(2);
    script.session.pinned.add(dismissed);
    script.session.dismissed.add(dismissed);
    script.session.cache = "cold";

    expect(script.request().shown(dismissed)).toMatch(folded);
  });
});

describe("arguments of a call", () => {
  const answered = (options: { thinking: boolean; nextTurn: boolean; command?: string }): PromptMessage | undefined => {
    const script = new Script();
    script.call("bash", { command: options.command ?? `echo ${lines(30)}` }, "ok", options);
    if (options.nextTurn) script.say("Next.");
    script.idle(4);
    script.session.cache = "cold";
    return script.request().prompt.messages[1];
  };
  const cold = (options: { thinking: boolean; nextTurn: boolean }): string =>
    JSON.stringify(answered(options)?.calls?.[0]?.args);

  it("are folded to the object that keeps them once their turn is over", () => {
    const left = `echo ${lines(30)}`.length - 30;
    expect(cold({ thinking: false, nextTurn: true })).toBe(
      `{"command":"echo line number 0 of a longer [cm: ${left} characters left out; cm_context show t1.input]"}`,
    );
  });

  it("fold also beside thinking of a turn that is over, which goes with them", () => {
    expect(cold({ thinking: true, nextTurn: true })).toBe(cold({ thinking: false, nextTurn: true }));
    expect(answered({ thinking: true, nextTurn: true })).not.toHaveProperty("thinking");
  });

  it("stay in the current turn, with the thinking beside them", () => {
    for (const thinking of [false, true])
      expect(cold({ thinking, nextTurn: false })).toBe(JSON.stringify({ command: `echo ${lines(30)}` }));
    expect(answered({ thinking: true, nextTurn: false })?.thinking).toHaveLength(1);
  });

  it("fold behind the newest 10 calls of the current turn, and never beside its thinking", () => {
    const foldsAfter = (calls: number, thinking: boolean): boolean => {
      const script = new Script(foldsNothing);
      script.call("bash", { command: `echo ${lines(30)}` }, "ok", { thinking });
      script.idle(calls - 1);
      return foldedCold(script, contextLogPolicy()).messages[1]?.calls?.[0]?.args.command !== `echo ${lines(30)}`;
    };

    expect([10, 11].map((calls) => foldsAfter(calls, false))).toEqual([false, true]);
    expect(foldsAfter(40, true)).toBe(false);
  });

  it("lose what an edit replaced behind the newest 10 calls of the current turn, and never beside its thinking", () => {
    const isWholeAfter = (calls: number, thinking: boolean): boolean => {
      const script = new Script(foldsNothing);
      script.call("edit", { path: "a.ts", oldText: lines(30), newText: "x" }, "Done.", { thinking });
      script.idle(calls - 1);
      const { args } = foldedCold(script, contextLogPolicy()).messages[1]?.calls?.[0] ?? {};
      expect(args).toMatchObject({ path: "a.ts", newText: "x" });
      return args?.oldText === lines(30);
    };

    expect([10, 11].map((calls) => isWholeAfter(calls, false))).toEqual([true, false]);
    expect(isWholeAfter(11, true)).toBe(true);
  });

  it("keep their thinking where they are too short to be folded", () => {
    expect(answered({ thinking: true, nextTurn: true, command: "make" })?.thinking).toHaveLength(1);
  });

  it("lose what an edit replaced also beside thinking, and the thinking with it", () => {
    const script = new Script();
    script.call("edit", { path: "a.ts", oldText: lines(30), newText: "x" }, "Done.", { thinking: true });
    script.say("Next.");
    script.idle(4);
    script.session.cache = "cold";

    const { decision, prompt } = script.request();

    expect(decision.forms?.["1.0"]).toEqual({ form: "replaced" });
    expect(prompt.messages[1]).not.toHaveProperty("thinking");
    expect(prompt.messages[1]?.calls?.[0]?.args).toMatchObject({ path: "a.ts", newText: "x" });
  });

  it("leave calls, ids and results in their places where one of several folds beside thinking", () => {
    const script = new Script();
    const calls = [`echo ${lines(30)}`, "make"].map((command, call) => ({
      callId: `p${call}`,
      tool: "bash",
      args: { command },
    }));
    script.session.request();
    script.session.add({ kind: "assistant", text: "Both.", thinking: [{ text: "Hm.", signature: "s" }], calls });
    for (const { callId } of calls) script.session.add({ kind: "result", callId, text: "ok", failed: false });
    script.say("Next.");
    script.idle(4);
    script.session.cache = "cold";

    const { messages } = script.request().prompt;

    expect(messages[1]).toMatchObject({ text: "Both.", calls: [{ callId: "p0" }, calls[1]] });
    expect(messages[1]?.calls?.[0]?.args).not.toEqual(calls[0]?.args);
    expect(messages[1]).not.toHaveProperty("thinking");
    expect(messages.slice(2, 4).map(({ callId }) => callId)).toEqual(["p0", "p1"]);
  });
});

describe("what is recalled", () => {
  /** A long file that was read and folded. */
  const afterFold = (): Script => {
    const script = new Script();
    script.read("a.ts", lines(60));
    script.nextTurn();
    script.idle(14);
    script.session.cache = "cold";
    expect(script.request().shown("c0")).toMatch(folded);
    for (let call = 0; call < 60; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
    return script;
  };

  it("is what a harness asked for, once, at the end of the newest result", () => {
    const script = afterFold();
    script.session.requested.add("c0").add("unknown");

    const { decision, prompt } = script.request();

    const newest = script.session.log.findLastIndex(({ kind }) => kind === "result");
    expect(decision.recall).toEqual([{ object: "c0", into: newest }]);
    expect(
      prompt.messages.at(-1)?.text.endsWith(`\n[cm: brought back here: output of read, 60 lines (t1)]\n${lines(60)}`),
    ).toBe(true);
    expect(script.request().decision.recall).toBeUndefined();
  });

  it("is the folded text that an edit replaced and nothing shows, at the end of the edit's own result", () => {
    const script = afterFold();
    const edit = script.call(
      "edit",
      { path: "a.ts", oldText: "line number 7 of a longer text", newText: "x" },
      "Done.",
    );

    const { decision, shown } = script.request();

    expect(decision.recall?.map(({ object }) => object)).toEqual(["c0"]);
    expect(shown(edit).startsWith("Done.\n[cm: brought back here: output of read, 60 lines (t1)]\n")).toBe(true);
    expect(decision.fold).toBeUndefined();
  });

  it("is the text of folded arguments where nothing else held it", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: lines(60) }, "Done.");
    script.say("Next.");
    script.idle(70);
    script.session.cache = "cold";
    script.request();
    for (let call = 0; call < 60; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
    const edit = script.call(
      "edit",
      { path: "a.ts", oldText: "line number 7 of a longer text", newText: "x" },
      "Done.",
    );

    const { decision, shown } = script.request();

    expect(decision.recall).toEqual([{ object: "c0", into: expect.any(Number), input: true }]);
    expect(shown(edit)).toContain("[cm: brought back here: arguments of write, 60 lines (t1.input)]\nline number 0 of");
  });

  it.each([
    ["is nothing where it would cost more than the guard allows", 20_000, undefined],
    ["is possible as soon as enough was saved", 5_000, [{ object: "c0", into: 4 }]],
  ])("%s", (_, billed, expected) => {
    const script = new Script();
    script.read("a.ts", lines(200));
    script.call("edit", { path: "a.ts", oldText: "line number 7 of a longer text", newText: "x" }, "Done.");
    const now = script.session.view();
    const forms = new Map([["2", { form: "reference" as const }]]);
    const ledger = { requests: 2, billed, plainBilled: 20_000, plainChars: 8_000, headChars: 0 };

    expect(contextLogPolicy().decide(indexedView({ ...now, forms, ledger }), defaultPrices).recall).toEqual(expected);
  });

  it("is nothing where the replaced text stands in view", () => {
    const script = afterFold();
    script.read("b.ts", "line number 7 of a longer text");
    script.call("edit", { path: "a.ts", oldText: "line number 7 of a longer text", newText: "x" }, "Done.");

    expect(script.request().decision.recall).toBeUndefined();
  });

  it("is folded again like other text", () => {
    const script = afterFold();
    script.session.requested.add("c0");
    script.request();
    script.nextTurn();
    script.idle(14);
    script.session.cache = "cold";

    const { prompt, shown } = script.request();

    expect(prompt.messages.some(({ text }) => text.includes("brought back here"))).toBe(false);
    expect(shown("c0")).toMatch(folded);
  });
});
