import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Workspace } from "../../src/example/tools/tool.ts";

/** For each test a new folder with a working folder in it, and room beside that for what must not be reached. */
export function workingFolder() {
  let outer = "";
  beforeEach(async () => {
    outer = await realpath(await mkdtemp(join(tmpdir(), "cm-example-test-")));
    await mkdir(join(outer, "work"));
  });
  afterEach(() => rm(outer, { recursive: true, force: true }));
  const at = (path: string) => join(outer, "work", path);
  return {
    at,
    workspace: (): Workspace => ({ root: join(outer, "work"), shownAs: "/shown" }),
    async file(path: string, content: string | Uint8Array): Promise<void> {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
    },
    async link(path: string, to: string): Promise<void> {
      await symlink(to, at(path));
    },
    textOf: (path: string): Promise<string> => readFile(at(path), "utf8"),
  };
}

export function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
}
