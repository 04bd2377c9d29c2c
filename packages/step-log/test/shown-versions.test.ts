// Verifies: SSOT 3.6, decision 0045: loading reads the file versions that are shown later, and no others.
import { type DocumentOf, sealDocument } from "@cm/object-model";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { momentsOf, type ShownVersion, shownVersions } from "../src/load.ts";

type Step = DocumentOf<"step">;

/** A step that sees versions such as "a1": version 1 of file a. */
function step({ before = "", told = "", after = "", recall = "" }): Step {
  const seen = (names: string) =>
    names.split(" ").flatMap((name) => (name === "" ? [] : { file: name.slice(0, 1), content_hash: hashOf(name) }));
  return sealDocument(
    { type: "step", id: "step:s:0" },
    {
      content: null,
      session_ref: "session:s",
      n: 0,
      parent: null,
      messages: [],
      turn: 0,
      changes: {},
      ...(told === "" ? {} : { resumed: { observed: seen(told) } }),
      ...(before === "" ? {} : { observed_before: seen(before) }),
      ...(after === "" ? {} : { observed: seen(after) }),
      layout: "log/1",
      decision: recall === "" ? {} : { recall: recall.split(" ") },
      basis: "1",
      prompt_hash: hashOf(""),
      prompt_chars: 0,
      kept_chars: 0,
      recorded_at: 0,
    },
  );
}

const hashOf = (name: string) => Buffer.from(name).toString("hex").padEnd(64, "0");
const nameOf = ({ contentHash }: ShownVersion) => Buffer.from(contentHash, "hex").toString("utf8").replaceAll("\0", "");
const names = (steps: readonly (Step | undefined)[], renderedFrom = steps.length) =>
  shownVersions(steps, renderedFrom).map(nameOf).sort();

describe("the versions that are shown", () => {
  it("are the newest of each file, however often it changed", () => {
    const steps = [step({ after: "a1 b1" }), step({ after: "a2" }), step({ before: "a3" }), step({})];

    expect(names(steps)).toEqual(["a3", "b1"]);
  });

  it("are those that were recalled, as they were then", () => {
    const steps = [
      step({ after: "a1" }),
      step({ recall: "a call", after: "a2" }),
      step({ recall: "a" }),
      step({ after: "a3" }),
    ];

    expect(names(steps)).toEqual(["a1", "a2", "a3"]);
  });

  it("are those before and after what was told on resuming", () => {
    const steps = [step({ after: "a1 b1" }), step({ told: "a2" }), step({ after: "a3 b2" })];

    expect(names(steps)).toEqual(["a1", "a2", "a3", "b2"]);
  });

  it("are those in sight of the requests that are rendered", () => {
    const steps = [
      step({ after: "a1" }),
      step({ after: "a2" }),
      step({ before: "a3", after: "a4" }),
      step({ after: "a5" }),
    ];

    expect([names(steps, 3), names(steps, 1), names(steps, 0)]).toEqual([
      ["a4", "a5"],
      ["a1", "a2", "a3", "a4", "a5"],
      ["a1", "a2", "a3", "a4", "a5"],
    ]);
  });

  it("are found over erased steps, too", () => {
    expect(names([step({ after: "a1" }), undefined, step({ after: "b1" })])).toEqual(["a1", "b1"]);
  });
});

describe("the moments to look at", () => {
  const version = (file: string, from: number, to: number): ShownVersion => ({
    file,
    contentHash: hashOf(file),
    from,
    to,
  });

  it("are one where all versions were in sight together", () => {
    const moments = momentsOf([version("a", 0, 9), version("b", 3, 5), version("c", 5, 9)]);

    expect(moments.map(({ place, versions }) => [place, versions.length])).toEqual([[5, 3]]);
  });

  it("cover every version while it was in sight, with none to spare", () =>
    forSeeds({ short: 200, long: 5_000, file: "test/shown-versions.test.ts" }, (random) => {
      const versions = Array.from({ length: random.below(12) }, (_, place) => {
        const from = random.below(20);
        return version(String.fromCharCode(97 + place), from, from + random.below(8));
      });

      const moments = momentsOf(versions);

      expect(moments.flatMap((moment) => moment.versions).sort(byFile)).toEqual(versions.toSorted(byFile));
      for (const { place, versions: held } of moments) {
        for (const { from, to } of held) expect(place >= from && place <= to).toBe(true);
      }
      expect(moments).toHaveLength(fewestPoints(versions));
    }));
});

const byFile = (a: ShownVersion, b: ShownVersion) => a.file.localeCompare(b.file);

/** As many as there are versions of which no two were ever in sight together. */
function fewestPoints(versions: readonly ShownVersion[]): number {
  let apart = 0;
  let last = -1;
  for (const { from, to } of versions.toSorted((a, b) => a.to - b.to)) {
    if (from <= last) continue;
    apart += 1;
    last = to;
  }
  return apart;
}
