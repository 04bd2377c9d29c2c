// @module-tag long
// Verifies: T8, SSOT 5.3: in any tree of links, loops and hard links, nothing outside a root is read or listed.
import { linkSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, plannedSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { rootAndOutside } from "./support/folder.ts";
import { bounds, openSource } from "./support/source.ts";

/** Random folders, files, links and hard links. A hard link is a file of the root, wherever its other names are. */
function plant(random: Random, { root, outside }: { readonly root: string; readonly outside: string }): void {
  const folders = { root: [root], outside: [outside] };
  for (const side of ["root", "outside"] as const) {
    for (let n = 0; n < 4; n += 1) {
      const folder = join(random.pick(folders[side]), `d${n}`);
      mkdirSync(folder, { recursive: true });
      folders[side].push(folder);
    }
    for (const [n, folder] of folders[side].entries()) writeFileSync(join(folder, `f${n}`), `${side} ${n}`);
  }
  writeFileSync(join(outside, "shared"), "shared");
  const targets = [...folders.root, ...folders.outside, "..", ".", "../..", "l0", "l3", "nothing", "/"];
  for (let n = 0; n < 12; n += 1) {
    const folder = random.pick(folders.root);
    if (random.chance(0.15)) linkSync(join(outside, "shared"), join(folder, `h${n}`));
    else symlinkSync(join(random.pick(targets), random.pick(["", "", "f0", "l1"])), join(folder, `l${n}`));
  }
}

/** All paths of up to four parts below a folder, through links, too. */
function paths(folder: string, depth: number): readonly string[] {
  const names = [...new Set(["f0", "f1", "f2", "l0", "l1", "l2", "..", ...namesIn(folder)])];
  const here = names.map((name) => `${folder}/${name}`);
  return depth === 0
    ? here
    : [...here, ...here.filter((_, n) => n % 3 === 0).flatMap((path) => paths(path, depth - 1))];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

describe("random trees", () => {
  for (const seed of plannedSeeds({ runs: 10 })) {
    it(`gives nothing from outside: CM_SEED=${seed}`, async () => {
      const { root, outside } = rootAndOutside();
      plant(createRandom(seed), { root, outside });
      const source = openSource(root);
      const asked = paths(root, 2);

      const bindings = await Promise.all(asked.map((path) => source.bind(path)));
      const answers = await source.observe(
        bindings.map((binding) => ({ binding })),
        bounds,
      );
      const listed: string[] = [];
      for await (const batch of source.list()) listed.push(...batch.map(({ path }) => path));

      for (const [n, answer] of answers.entries()) {
        if (answer.kind !== "present") continue;
        expect(answer.content).not.toMatchObject({ text: expect.stringMatching(/^outside/) });
        expect(lstatSync(bindings[n]?.path ?? "").isFile()).toBe(true);
      }
      expect(answers.map(({ kind }) => kind)).toContain("present");
      expect(new Set(listed)).toEqual(new Set(filesBelow(root)));
      rmSync(root, { recursive: true });
    });
  }
});
