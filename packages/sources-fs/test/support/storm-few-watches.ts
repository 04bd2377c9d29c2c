import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTracker } from "@cm/sources-fs";

// A program of its own: follows one file in each of 20 folders, changes all, and says what came of it.
const folder = process.argv[2] ?? "";
const paths = Array.from({ length: 20 }, (_, n) => join(folder, `folder-${n}`, "a.ts"));
const hinted = new Set<string>();
const tracker = openTracker({ localPathOf: ({ path }) => ({ path }), onHint: ({ path }) => void hinted.add(path) });
await tracker.follow(paths.map((path) => ({ type: "filesystem", filesystemId: "here", path })));
const counts: Record<string, number> = { attached: 0 };
for (const { state, reason } of tracker.states()) {
  const key = reason === undefined ? state : `${state}: ${reason}`;
  counts[key] = (counts[key] ?? 0) + 1;
}
await tracker.settled();
hinted.clear();
for (const path of paths) writeFileSync(path, "two, and longer");
await tracker.settled();
await tracker.close();
console.log(JSON.stringify({ ...counts, hinted: hinted.size }));
