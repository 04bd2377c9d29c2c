import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFilesystemSource } from "@cm/sources-fs";
import type { SourceSubject } from "@cm/testkit";
import { rootAndOutside } from "./folder.ts";
import { here } from "./source.ts";

/** A source on a folder of its own, as the suite wants it. Out of reach: the root is somewhere else. */
export async function openFolderSubject(): Promise<SourceSubject> {
  const { folder, root, outside } = rootAndOutside();
  const source = createFilesystemSource({ roots: [root], environment: here });
  const pathOf = (name: string) => join(root, name);
  const moved = join(outside, "moved");
  return {
    source,
    world: {
      async put(name, bytes) {
        mkdirSync(dirname(pathOf(name)), { recursive: true });
        writeFileSync(pathOf(name), bytes);
        return source.bind(pathOf(name));
      },
      remove: async (name) => rmSync(pathOf(name)),
      binding: (name) => source.bind(pathOf(name)),
      elsewhere: async () => ({ type: "filesystem", filesystemId: "another machine", path: "/a.txt" }),
      unreach: async () => renameSync(root, moved),
      reach: async () => renameSync(moved, root),
      canHold: (name) =>
        name.split("/").every((part) => part !== "" && Buffer.byteLength(part) <= 255 && !/^\.{1,2}$|\0/.test(part)),
    },
    async close() {
      await source.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
