import { describe, expect, it } from "vitest";
import type { Notice } from "../src/notice.ts";
import { noticeLine, readNotice } from "../src/wording.ts";

const size = { lines: 3 } as const;
const id = "t7";
const checkout = { root: "none", commit: "a b", branch: "main" };

/** Each kind with all that it may say, and with as little as it can. The compiler names a kind that is missing. */
const cases: { readonly [Kind in Notice["kind"]]: readonly Extract<Notice, { readonly kind: Kind }>[] } = {
  "left-out": [
    { kind: "left-out", size, id },
    { kind: "left-out", size, file: "a b.ts", id, failed: true, since: "changed", linesBelow: 1, words: ["x y", "z"] },
    { kind: "left-out", size: { chars: 9 }, id, since: "unchanged", linesBelow: 1 },
    { kind: "left-out", size: { chars: 9 }, id, linesBelow: 2 },
    { kind: "left-out", size, id, attachments: 1, failed: true },
    { kind: "left-out", size: { chars: 0 }, id, attachments: 2 },
    { kind: "left-out", size: { chars: 0 }, id, failed: true },
    { kind: "left-out", size: { chars: 0 }, file: "a.ts", id },
    { kind: "left-out", size: { chars: 1 }, id, attachments: 1 },
    { kind: "left-out", size, id, linesBelow: 3 },
  ],
  earlier: [
    { kind: "earlier", calls: 0, tools: [], turns: { from: 2, to: 2 } },
    {
      kind: "earlier",
      calls: 1,
      tools: [{ tool: "a; 3 b", calls: 1 }],
      more: 2,
      prompts: 1,
      turns: { from: 1, to: 3 },
    },
    { kind: "earlier", calls: 2, tools: [{ tool: "a", calls: 2 }], turns: { from: 3, to: 3 } },
    { kind: "earlier", calls: 0, tools: [], prompts: 1, turns: { from: 3, to: 3 } },
  ],
  "same-text": [{ kind: "same-text", size: { from: 4, to: 9 }, file: "a.ts", id, callsAbove: 1 }],
  "repeated-arguments": [
    { kind: "repeated-arguments", size: { from: 4, to: 4 }, id },
    { kind: "repeated-arguments", size: { lines: 2 }, id },
    { kind: "repeated-arguments", size: { chars: 1 }, id },
  ],
  "changed-lines": [{ kind: "changed-lines", size, id, callsAbove: 12 }],
  "same-lines": [
    { kind: "same-lines", same: { from: 12, to: 67 }, where: "output", id, callsAbove: 2 },
    { kind: "same-lines", same: { from: 1, to: 10 }, where: "written", id, callsAbove: 1 },
  ],
  "no-output": [{ kind: "no-output", why: "erased" }],
  cut: [
    { kind: "cut", chars: 0 },
    { kind: "cut", chars: 0, attachments: 1 },
    { kind: "cut", chars: 12, attachments: 2, id },
  ],
  "brought-back": [
    { kind: "brought-back", path: "output of a", size, id, partly: "too_large" },
    { kind: "brought-back", tool: "file", target: "x.input", size, id },
    { kind: "brought-back", tool: "bash", input: true, size, id },
  ],
  resumed: [{ kind: "resumed" }],
  "resumed-file": [
    { kind: "resumed-file", path: "a.ts", id },
    { kind: "resumed-file", path: "a.ts", id, state: "unread", added: 1, removed: 0, placesOmitted: 2 },
  ],
  "resumed-checkout": [
    { kind: "resumed-checkout" },
    { kind: "resumed-checkout", was: checkout, now: { root: "/w", branch: "commit x" } },
  ],
  "moved-folder": [{ kind: "moved-folder", was: "a", now: "b c" }],
  "moved-file": [{ kind: "moved-file", id, was: "a", now: "b" }],
  "moved-omitted": [{ kind: "moved-omitted", paths: 1 }],
  unreachable: [{ kind: "unreachable", path: "a", id, reason: "it] is gone" }],
  omitted: [{ kind: "omitted", files: 2 }],
  released: [
    { kind: "released", ids: ["f1"] },
    { kind: "released", ids: ["f1", "a b"], omitted: 4 },
  ],
};
const [shortest = ""] = cases["left-out"].map(noticeLine);

describe("a line of ours", () => {
  it.each(Object.values(cases).flat())("is read as it was written: %j", (notice) => {
    const line = noticeLine(notice);

    expect(line).toMatch(/^\[cm: .*\]$/);
    expect(readNotice(line)).toEqual(notice);
  });

  it("says one, several and parts in the words for them", () => {
    const said = cases["left-out"].map(noticeLine);

    expect(said).toEqual([
      "[cm: 3 lines left out; cm_context show t7]",
      '[cm: 3 lines of "a b.ts" left out, failed, changed since, 1 of them below; words in the rest: "x y" z; cm_context show t7]',
      "[cm: 9 characters left out, unchanged until then, 1 line of it below; cm_context show t7]",
      "[cm: 9 characters left out, 2 lines of it below; cm_context show t7]",
      "[cm: 3 lines and 1 attachment left out, failed; cm_context show t7]",
      "[cm: 2 attachments left out; cm_context show t7]",
      "[cm: an empty output left out, failed; cm_context show t7]",
      "[cm: an empty output of a.ts left out; cm_context show t7]",
      "[cm: 1 character and 1 attachment left out; cm_context show t7]",
      "[cm: 3 lines left out, all of them below; cm_context show t7]",
    ]);
    expect([...cases.earlier, ...cases["repeated-arguments"]].map(noticeLine)).toEqual([
      "[cm: left out above, of turn 2: the answers; cm_context show turn2, or list]",
      '[cm: left out above, of turns 1 to 3: 1 prompt, 1 call (1 "a; 3 b"; and 2 more) with its output, and the answers; cm_context show turn3, or list]',
      "[cm: left out above, of turn 3: 2 calls (2 a) with their output, and the answers; cm_context show turn3, or list]",
      "[cm: left out above, of turn 3: 1 prompt, and the answers; cm_context show turn3, or list]",
      "[cm: line 4 left out that repeats the call's arguments; cm_context show t7]",
      "[cm: 2 lines left out that repeat the call's arguments; cm_context show t7]",
      "[cm: 1 character left out that repeats the call's arguments; cm_context show t7]",
    ]);
  });

  it.each([
    "",
    "[cm: ]",
    "[cm: 3 lines left out]",
    "x[cm: found when this session was resumed:]",
    "[cm: 3 liness left out; cm_context show t7]",
    `x${shortest}`,
    shortest.replace(/;.*\]/, "]"),
    shortest.replace("lines", "liness"),
  ])("is not taken for %j", (line) => {
    expect(readNotice(line)).toBeUndefined();
  });
});
