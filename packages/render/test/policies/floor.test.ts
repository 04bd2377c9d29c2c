// Verifies: context-log "Floor"
import { describe, expect, it } from "vitest";
import { contextLogPolicy } from "../../src/policies/context-log/context-log.ts";
import { alive, spareByFloor } from "../../src/policies/context-log/floor.ts";
import type { Standing } from "../../src/policies/context-log/standing.ts";
import { foldedCold, foldsNothing, lines, Script } from "../support/script.ts";

/** A part of 100 characters that came at `step`; `run` over 1 means overdue. */
function standing(step: number, run: number, deadSince: number): Standing {
  const part: Standing["part"] = {
    key: `${step}`,
    at: step,
    class: "read",
    step,
    turn: 0,
    chars: 100,
    folded: 10,
    foldable: true,
    file: 0,
    object: `o${step}`,
    tool: undefined,
    shows: [],
    isArgs: false,
    replaced: undefined,
    before: 0,
  };
  return {
    part,
    form: undefined,
    chars: 100,
    before: 0,
    run,
    clockEndsAt: deadSince,
    deadSince,
    isFree: true,
    isProtected: false,
  };
}

const mayLive = (): boolean => true;
const rankOf = ({ run }: Standing): number => run;

describe("the floor", () => {
  it("spares the least overdue parts until one does not fit", () => {
    const fileText = [standing(0, 3, 5), standing(1, 1.5, 5), standing(2, 2, 5), standing(9, 0.5, alive)];

    spareByFloor(fileText, { floorChars: 300, mayLive, rankOf });

    expect(fileText.map(({ deadSince }) => deadSince === alive)).toEqual([false, true, true, true]);
  });

  it("spares nothing that must not live", () => {
    const fileText = [standing(0, 3, 5), standing(1, 1.5, 5)];

    spareByFloor(fileText, { floorChars: 1_000, rankOf, mayLive: ({ part }) => part.key === "0" });

    expect(fileText.map(({ deadSince }) => deadSince)).toEqual([alive, 5]);
  });

  it("lets rent begin when the text that took the room came", () => {
    const fileText = [standing(0, 3, 5), standing(10, 0.5, alive), standing(20, 0.5, alive), standing(30, 0.5, alive)];

    spareByFloor(fileText, { floorChars: 300, mayLive, rankOf });

    expect(fileText[0]?.deadSince).toBe(30);
  });
});

describe("of two files that are equally overdue the floor spares", () => {
  /** Which of the two is still whole where there is room for one. */
  const spared = (play: (script: Script) => void, longer: number): readonly boolean[] => {
    const script = new Script(foldsNothing);
    script.say(lines(70, "wish"));
    const texts = [lines(40, "first"), lines(longer, "other")];
    script.session.add({ kind: "assistant", text: "", calls: ["a", "b"].map(readOf) });
    ["a", "b"].forEach((callId, index) => {
      script.session.add({ kind: "result", callId, text: texts[index] ?? "" });
    });
    play(script);
    script.say("Next.");
    script.idle(15);
    const { messages } = foldedCold(script, contextLogPolicy({ floor: 0.3 }));
    return ["a", "b"].map((callId) => {
      const shown = messages.find((message) => message.callId === callId)?.text;
      return shown?.startsWith("[cm:") === false;
    });
  };
  const nothing = (): void => undefined;

  it("the newer one, if they are equally long", () => {
    expect(spared(nothing, 40)).toEqual([false, true]);
  });

  it("the shorter one", () => {
    expect(spared(nothing, 45)).toEqual([true, false]);
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

    expect(spared(edits, 40)).toEqual([true, false]);
    expect(spared(apart, 40)).toEqual([false, true]);
  });
});

const readOf = (callId: string) => ({ callId, tool: "read", args: { path: `${callId}.ts` } });
const editOf = (path: string) => ({ path, oldText: "x", newText: "y" });
