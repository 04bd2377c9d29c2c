// Verifies: SSOT 3.6 (the agent is told once what changed since it last looked), 4.5.
import type { ResultEntry, ResumedEntry, ViewObject } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { plainLayout } from "../../src/layouts/plain.ts";
import { ssotLayout } from "../../src/layouts/ssot.ts";
import { limits } from "../../src/limits.ts";
import { objectsOf, user, viewOf } from "../support/views.ts";

const file = (number: number): ViewObject => ({
  id: `${number}`.padStart(64, "a"),
  alias: `f${number}`,
  kind: "file",
  path: `src/${number}.ts`,
  text: "",
});
const place = { at: 1, step: 1, turn: 0 };
const output: ResultEntry = {
  ...{ kind: "result", ...place, callId: "c1", object: "c1", tool: "bash", args: {}, status: "ok", text: "done" },
  ...{ attachments: [], files: [], spans: [] },
};
const nothing: ResumedEntry = { kind: "resumed", ...place, at: 2, into: 1, files: [], unreachable: [], checkouts: [] };
const changed = (number: number, before: string | null, after: string | null): ResumedEntry["files"][number] => ({
  object: file(number).id,
  path: `src/${number}.ts`,
  before,
  after,
});
const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, n) => `${text} ${n}\n`).join("");

function shownUnder(renderer: typeof logLayout, entry: Partial<ResumedEntry>, objects = [file(1), file(2)]): string[] {
  const view = viewOf({
    objects: objectsOf(...objects),
    log: [user(0, "Go on."), { ...output }, { ...nothing, ...entry }],
  });
  return renderer.render(view, {}).messages.map(({ text }) => text);
}

describe("the report on resuming", () => {
  it("names what changed, and shows the lines that did, at the end of the newest result", () => {
    const [, report] = shownUnder(logLayout, {
      checkouts: [
        {
          was: { namespace: "n", root: "/w", repository: "r", commit: "aaaa", branch: "main" },
          now: { namespace: "n", root: "/w", repository: "r", commit: "bbbb", branch: "main" },
        },
      ],
      files: [changed(1, "one\ntwo\nthree\n", "one\n2\nthree\n"), { ...changed(2, "x", null), textless: "deleted" }],
      unreachable: [{ object: file(2).id, path: "src/2.ts", reason: "permission denied" }],
    });

    expect(report).toBe(
      [
        "done",
        "[cm: found when this session was resumed:]",
        "[cm: working copy was /w commit aaaa branch main; is /w commit bbbb branch main]",
        "[cm: src/1.ts (f1) changed: 1 line added, 1 removed]",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "+2",
        " three",
        "[cm: src/2.ts (f2) changed; it is deleted]",
        '[cm: src/2.ts (f2) cannot be checked for changes: "permission denied"]',
      ].join("\n"),
    );
  });

  it("stands under full ids in layout ssot, and not at all where the agent alone is shown", () => {
    const entry = { files: [changed(1, "a\n", "b\n")] };

    expect(shownUnder(ssotLayout, entry).some((text) => text.includes(`changed id=${file(1).id} `))).toBe(true);
    expect(shownUnder(plainLayout, entry)).toEqual(["Go on.", "done"]);
  });

  it("says which folders and files are found under another path, as many as it has room for", () => {
    const paths = [
      { was: "/A/proj", now: "/B/proj" },
      { was: "/A/one note.md", now: "/mnt/note.md", object: file(1).id },
    ];
    const many = Array.from({ length: limits.resumedPathsMax + 3 }, (_, n) => ({ was: `/A/${n}`, now: `/B/${n}` }));

    const [, told = ""] = shownUnder(logLayout, { paths });
    const [, tooMany = ""] = shownUnder(logLayout, { paths: many });
    const ssot = shownUnder(ssotLayout, { paths }).find((text) => text.startsWith("context_resumed"));

    expect(told.split("\n").slice(1)).toEqual([
      "[cm: found when this session was resumed:]",
      "[cm: files below /A/proj are now below /B/proj]",
      '[cm: the file "/A/one note.md" (f1) is now at /mnt/note.md]',
    ]);
    expect(tooMany.split("\n").at(-1)).toBe("[cm: 3 more paths changed; cm_context list]");
    expect(ssot?.split("\n").slice(1)).toEqual([
      "moved was=/A/proj now=/B/proj",
      `moved id=${file(1).id} was="/A/one note.md" now=/mnt/note.md`,
    ]);
  });

  it("keeps to its budget: whole hunks first, then counts, then names, then a number", () => {
    const many = Array.from({ length: limits.resumedFilesMax + 7 }, (_, n) => n + 1);
    const files = many.map((number) => changed(number, lines(40, "old"), lines(40, "new")));

    const [, report = ""] = shownUnder(logLayout, { files }, many.map(file));

    const diffs = report.split("\n").filter((line) => /^[ +@-]/.test(line));
    expect(diffs.join("\n").length).toBeLessThanOrEqual(limits.resumedDiffCharsMax);
    expect(diffs.length).toBeGreaterThan(0);
    expect(report).toContain(
      `[cm: src/${limits.resumedFilesMax}.ts (f${limits.resumedFilesMax}) changed: 40 lines added`,
    );
    expect(report.split("\n").at(-1)).toBe("[cm: 7 more files changed or cannot be checked; cm_context list]");
  });

  it("says how many hunks of a long change it left out", () => {
    const before = lines(400, "line");
    const after = before.replaceAll(/^(line \d*)5$/gm, "$1 and five, with words enough to fill the room there is");

    const [, report = ""] = shownUnder(logLayout, { files: [changed(1, before, after)] });

    expect(report).toMatch(
      /^\[cm: src\/1\.ts \(f1\) changed: 40 lines added, 40 removed, \d+ changed places not shown\]$/m,
    );
  });
});
