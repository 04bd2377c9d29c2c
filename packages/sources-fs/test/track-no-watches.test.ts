// @module-tag process
// Verifies: SSOT 5.9, F9
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { freshFolder } from "./support/storm-folder.ts";

/** A user namespace has a limit of its own on watches, which its root may lower without touching the machine's. */
const lowered = (watches: number, command: string): readonly string[] => [
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  `echo ${watches} > /proc/sys/user/max_inotify_watches && ${command}`,
];

const withNamespaces = requirement(
  "user namespaces with a watch limit",
  () => spawnSync("unshare", [...lowered(5, "true")], { stdio: "ignore" }).status === 0,
);

withNamespaces("a machine that really has few watches", () => {
  it.each([0, 1, 10])("of %i follows so many folders, and still hints all when asked", async (watches) => {
    const folder = freshFolder();
    for (let n = 0; n < 20; n += 1) {
      mkdirSync(join(folder, `folder-${n}`));
      writeFileSync(join(folder, `folder-${n}`, "a.ts"), "one");
    }
    const program = join(import.meta.dirname, "support", "storm-few-watches.ts");

    const { stdout, stderr } = await promisify(execFile)("unshare", [
      ...lowered(watches, `"$0" "$1" "$2"`),
      process.execPath,
      program,
      folder,
    ]);

    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ attached: watches, "orphaned: no watches left": 20 - watches, hinted: 20 });
  });
});
