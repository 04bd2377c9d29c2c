// Verifies: context-log "Floor"
import { describe, expect, it } from "vitest";
import { alive, spareByFloor } from "../../src/policies/context-log/floor.ts";
import type { Standing } from "../../src/policies/context-log/standing.ts";

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
    isArgs: false,
    before: 0,
  };
  return { part, form: undefined, chars: 100, before: 0, run, deadSince };
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
