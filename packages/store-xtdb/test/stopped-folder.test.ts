// @module-tag xtdb
// @module-tag long
// Verifies: SSOT 2.8, 7.4; xtdb-live 1.1; T7 on XTDB: a stopped node's folder that is copied elsewhere, compacted there and given
// a new index answers all that it answered, and no route and no file of it gives what was erased.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withNodes } from "./support/live-node.ts";
import { indexFolder, type OwnNode, startOn } from "./support/own-node.ts";
import { campaign, createRandom, runSeed } from "./support/random.ts";
import type { Running } from "./support/stopped/chapter.ts";
import { drawnHistories } from "./support/stopped/drawn-histories.ts";
import { canary, erasedObjects } from "./support/stopped/erased-objects.ts";
import { writtenAgain } from "./support/stopped/written-again.ts";

const program = fileURLToPath(new URL("../../../xtdb/launch/cli.ts", import.meta.url));

interface Maintained {
  readonly code: number;
  readonly stdout: string;
}

/** A scan ends with 3 where it finds the text. */
function maintain(...args: readonly string[]): Promise<Maintained> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_, stdout) =>
      resolve({ code: child.exitCode ?? -1, stdout }),
    );
  });
}

const title = "the folder of a stopped XTDB node";

// One life of a node for all three: its starts take longer than all that it is asked here.
withNodes(title, () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-store-xtdb-"));
  const [data, elsewhere] = [join(folder, "data"), join(folder, "moved")];
  let node: OwnNode | undefined;
  const checks: ((second: Running) => Promise<void>)[] = [];
  let maintained: Maintained[] = [];
  let isWithoutIndex = false;

  beforeAll(async () => {
    const { seed, replay } = runSeed(title);
    node = await startOn(data);
    for (const chapter of [erasedObjects, drawnHistories, writtenAgain]) {
      checks.push(await chapter(node, { random: createRandom(seed), replay }));
    }
    await node.stop();
    await cp(data, elsewhere, { recursive: true });
    if (campaign) {
      // As it is, too, with its index.
      node = await startOn(elsewhere);
      for (const check of checks) await check(node);
      await node.stop();
    }
    maintained = [await maintain("compact", elsewhere), await maintain("scan", elsewhere, canary)];
    isWithoutIndex = !existsSync(indexFolder(elsewhere));
    node = await startOn(elsewhere);
  });
  afterAll(async () => {
    await node?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const holds = async (chapter: number): Promise<void> => {
    if (node === undefined) throw new Error("There is no node.");
    await checks[chapter]?.(node);
  };

  it("leaves nothing of erased objects, and the others whole", async () => {
    const [compacted, scanned] = maintained;

    expect([compacted?.code, scanned?.code]).toEqual([0, 0]);
    expect(compacted?.stdout).toMatch(/^indices: removed.*\ndocs: compacted.*\ntx-log: compacted.*\n$/);
    await holds(0);
  });

  it("answers all histories where it is copied to", () => holds(1));

  it("has what was erased and written again, and what an erasure left, in an index that is built anew", async () => {
    expect(isWithoutIndex).toBe(true);
    await holds(2);
  });
});
