// Verifies: decisions 52 and 157: what comes back for an edit that misses its text, and with the files of its plan.
import { describe, expect, it } from "vitest";
import { lines, Script } from "../support/script.ts";

interface Plan {
  readonly files: readonly string[];
  /** Lines of each file. */
  readonly length: number;
  /** The file that is edited again once all was forgotten. */
  readonly again: string;
}

/** What comes back, by the file that it shows. */
function comesBack({ files, length, again }: Plan): Readonly<Record<string, readonly string[]>> {
  const script = new Script();
  const reads = new Map([...files, "other.ts"].map((path) => [script.read(path, lines(length, path)), path] as const));
  for (const path of files) script.call("edit", edit(path, 3), "Done.");
  script.idle(20);
  script.call("edit", edit("other.ts", 3), "Done.");
  script.say("Next.");
  script.idle(10);
  script.session.cache = "cold";
  script.request();
  for (let call = 0; call < 60; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
  script.call("edit", edit(again, 7), "Done.");
  const { decision } = script.request();
  return Object.fromEntries(
    Object.entries(decision.reasons ?? {})
      .filter(([reason]) => reason === "edit missed it" || reason === "plan was forgotten")
      .map(([reason, objects]) => [reason, objects.map((object) => reads.get(object) ?? object)]),
  );
}

const edit = (path: string, line: number) => ({
  path,
  oldText: `${path} number ${line} of a longer text`,
  newText: "x",
});

describe("an edit whose text was forgotten", () => {
  it("brings back the other files that were once edited with its own, and no others", () => {
    expect(comesBack({ files: ["a.ts", "b.ts", "c.ts"], length: 30, again: "b.ts" })).toEqual({
      "edit missed it": ["b.ts"],
      "plan was forgotten": ["a.ts", "c.ts"],
    });
  });

  it("brings back its own alone where it was edited alone, or where the others are long", () => {
    expect(comesBack({ files: ["a.ts"], length: 30, again: "a.ts" })).toEqual({ "edit missed it": ["a.ts"] });
    expect(comesBack({ files: ["a.ts", "b.ts"], length: 200, again: "a.ts" })).toEqual({ "edit missed it": ["a.ts"] });
  });

  it("brings back no text of more than 20,000 characters", () => {
    const ofLines = (length: number) => comesBack({ files: ["a.ts"], length, again: "a.ts" });
    const [longest, longer] = [500, 700].map((length) => lines(length, "a.ts").length);

    expect(longest).toBeLessThan(20_000);
    expect(ofLines(500)).toEqual({ "edit missed it": ["a.ts"] });
    expect(longer).toBeGreaterThan(20_000);
    expect(ofLines(700)).toEqual({});
  });
});
