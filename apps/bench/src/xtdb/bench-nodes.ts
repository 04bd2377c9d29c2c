import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNode, type XtdbNode } from "@cm/xtdb-node";

/**
 * Nodes for one measurement, each on RocksDB in a folder of its own, as they would run for real: every commit is on disk
 * before it is acknowledged. All are gone when the measurement is over, however it ends.
 */
export async function withNodes<T>(count: number, measure: (...nodes: readonly XtdbNode[]) => Promise<T>): Promise<T> {
  return await withFolder((folder) =>
    withNodesOn(
      Array.from({ length: count }, (_, n) => join(folder, String(n))),
      measure,
    ),
  );
}

/** The same in folders that stay. */
export async function withNodesOn<T>(
  folders: readonly string[],
  measure: (...nodes: readonly XtdbNode[]) => Promise<T>,
): Promise<T> {
  const nodes: XtdbNode[] = [];
  try {
    for (const folder of folders) nodes.push(await startNode({ storage: { kind: "rocksdb", folder } }));
    return await measure(...nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

/** A folder that is gone after the work. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-xtdb-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
