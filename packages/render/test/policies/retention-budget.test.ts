// Verifies: SSOT 4.4 (5)
import { describe, expect, it } from "vitest";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { retained, retainWithinBudget } from "../../src/policies/context-log/retention.ts";
import { foldedCold, foldsNothing, lines, Script } from "../support/script.ts";

interface Text {
  readonly step: number;
  /** Over 1 it is overdue. */
  readonly run: number;
  readonly expiredAt: number;
}

/** File text of 100 characters each, and what is no file text between. */
function retainedOf(texts: readonly Text[], budgetChars: number, mayRetain: (at: number) => boolean = () => true) {
  const rows = texts.flatMap((text) => [text, { step: text.step, run: 0, expiredAt: 1 }]);
  const expiredAt = rows.map((row) => row.expiredAt);
  retainWithinBudget(
    {
      length: rows.length,
      isFileText: rows.map((_, index) => index % 2 === 0),
      steps: rows.map(({ step }) => step),
      chars: rows.map(() => 100),
      expiredAt,
    },
    { budgetChars, mayRetain: (index) => mayRetain(index / 2), rankOf: (index) => rows[index]?.run ?? 0 },
  );
  expect(expiredAt.filter((_, index) => index % 2 === 1)).toEqual(texts.map(() => 1));
  return expiredAt.filter((_, index) => index % 2 === 0);
}

describe("the retention budget", () => {
  it("keeps the least overdue parts until one does not fit", () => {
    const since = retainedOf(
      [
        { step: 0, run: 3, expiredAt: 5 },
        { step: 1, run: 1.5, expiredAt: 5 },
        { step: 2, run: 2, expiredAt: 5 },
        { step: 9, run: 0.5, expiredAt: retained },
      ],
      300,
    );

    expect(since.map((step) => step === retained)).toEqual([false, true, true, true]);
  });

  it("keeps nothing that must not stay", () => {
    const texts = [
      { step: 0, run: 3, expiredAt: 5 },
      { step: 1, run: 1.5, expiredAt: 5 },
    ];

    expect(retainedOf(texts, 1_000, (at) => at === 0)).toEqual([retained, 5]);
  });

  it("lets rent begin when the text that took the room came", () => {
    const living = [10, 20, 30].map((step) => ({ step, run: 0.5, expiredAt: retained }));

    expect(retainedOf([{ step: 0, run: 3, expiredAt: 5 }, ...living], 300)[0]).toBe(30);
  });
});

describe("of two files that are equally overdue the retention budget keeps", () => {
  /** Which of the two is still whole where there is room for one. */
  const wholeOf = (play: (script: Script) => void, longer: number): readonly boolean[] => {
    const script = new Script(foldsNothing);
    script.say(lines(70, "wish"));
    const texts = [lines(40, "first"), lines(longer, "other")];
    script.session.add({ kind: "assistant", text: "", calls: ["a", "b"].map(readOf) });
    ["a", "b"].forEach((callId, index) => {
      script.session.add({ kind: "result", callId, text: texts[index] ?? "" });
    });
    play(script);
    script.nextTurn();
    script.idle(15);
    const { messages } = foldedCold(script, contextLogPolicy({ retentionBudget: 0.3 }));
    return ["a", "b"].map((callId) => {
      const shown = messages.find((message) => message.callId === callId)?.text;
      return shown?.startsWith("[cm:") === false;
    });
  };
  const nothing = (): void => undefined;

  it("the newer one, if they are equally long", () => {
    expect(wholeOf(nothing, 40)).toEqual([false, true]);
  });

  it("the shorter one", () => {
    expect(wholeOf(nothing, 45)).toEqual([true, false]);
  });

  it("the one that was edited together with others, though the other was edited later", () => {
    const edits = (script: Script): void => {
      for (const path of ["c.ts", "d.ts", "a.ts"]) script.call("edit", editOf(path), "Done.");
      script.idle(13);
      script.call("edit", editOf("b.ts"), "Done.");
      script.idle(40);
    };
    const apart = (script: Script): void => {
      for (const path of ["c.ts", "d.ts"]) script.call("edit", editOf(path), "Done.");
      script.idle(13);
      script.call("edit", editOf("a.ts"), "Done.");
      script.idle(13);
      script.call("edit", editOf("b.ts"), "Done.");
      script.idle(40);
    };

    expect(wholeOf(edits, 40)).toEqual([true, false]);
    expect(wholeOf(apart, 40)).toEqual([false, true]);
  });
});

const readOf = (callId: string) => ({ callId, tool: "read", args: { path: `${callId}.ts` } });
const editOf = (path: string) => ({ path, oldText: "x", newText: "y" });
