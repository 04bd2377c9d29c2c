import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { sharedByRun } from "../../tools/shared-by-run.ts";
import type { XtdbNode } from "../launch/node-process.ts";
import { prepareOrSay } from "../launch/prepare-or-say.ts";
import { startNode } from "../launch/start-node.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the node that all files of a run share. */
    sharedXtdbUrl?: string;
  }
}

/**
 * A `globalSetup` for vitest: prepares, and starts one node for all projects of a run, where there is what it needs. It is on disk: a
 * node in memory has all in its heap, and is slower by half when many tests have written to it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, leave } = await sharedByRun("xtdb", startShared, async ({ node, folder }) => {
    await node?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  if (value.node !== undefined) project.provide("sharedXtdbUrl", value.node.url);
  return leave;
}

async function startShared(): Promise<{ readonly node: XtdbNode | undefined; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "cm-xtdb-"));
  const isPrepared = await prepareOrSay((line) => console.error(line));
  const options = { quick: true, heapMiB: 1_024, storage: { kind: "rocksdb", folder } } as const;
  return { node: isPrepared ? await startNode(options) : undefined, folder };
}
