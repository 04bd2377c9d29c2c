import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { XtdbNode } from "../launch/node-process.ts";
import { prepareOrSay } from "../launch/prepare-or-say.ts";
import { startNode } from "../launch/start-node.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the node that all files of a run share. */
    sharedXtdbUrl?: string;
  }
}

interface Shared {
  readonly node: Promise<XtdbNode | undefined>;
  readonly folder: string;
  users: number;
}

/** Every project of a run loads this file anew: what they share is kept by the process. */
const kept = globalThis as { cmSharedXtdb?: Shared };

/**
 * A `globalSetup` for vitest: prepares, and starts one node for all projects of a run, where there is what it needs. It is on disk: a
 * node in memory has all in its heap, and is slower by half when many tests have written to it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  kept.cmSharedXtdb ??= shareNode();
  const shared = kept.cmSharedXtdb;
  shared.users += 1;
  const node = await shared.node;
  if (node !== undefined) project.provide("sharedXtdbUrl", node.url);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete kept.cmSharedXtdb;
    await node?.stop();
    rmSync(shared.folder, { recursive: true, force: true });
  };
}

function shareNode(): Shared {
  const folder = mkdtempSync(join(tmpdir(), "cm-xtdb-"));
  return { folder, node: startIn(folder), users: 0 };
}

async function startIn(folder: string): Promise<XtdbNode | undefined> {
  const isPrepared = await prepareOrSay((line) => console.error(line));
  return isPrepared ? startNode({ quick: true, heapMiB: 1_024, storage: { kind: "rocksdb", folder } }) : undefined;
}
