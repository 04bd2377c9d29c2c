import { expect } from "vitest";
import { type EdnMap, ednText } from "../../launch/edn-text.ts";
import { requireJava } from "../../launch/java.ts";
import { javaArguments } from "../../launch/java-arguments.ts";
import { startProcess, type XtdbNode } from "../../launch/node-process.ts";
import { findPrepared } from "../../launch/prepare.ts";

export interface DoorStart {
  /** Options of the door itself, its limits among them. */
  readonly door?: EdnMap;
  /** Further parts of the configuration. */
  readonly parts?: EdnMap;
  readonly heapMiB?: number;
  readonly log?: (line: string) => void;
}

/** A node in memory whose door has just these options: what `startNode` does not let through, such as small limits. */
export async function startDoor({ door = {}, parts = {}, heapMiB = 256, log }: DoorStart = {}): Promise<XtdbNode> {
  const java = requireJava();
  const prepared = findPrepared(java);
  expect.assert(prepared !== undefined, "XTDB is prepared");
  const { classPath, temporaryFolder, archive } = prepared;
  const configuration = ednText({
    ...parts,
    ":cm.xtdb.door/server": { ":xtdb/module": { symbol: "cm.xtdb.door/->server" }, ":port": 0, ...door },
  });
  const settings = { classPath, temporaryFolder, heapMiB, quick: true };
  const args = javaArguments(java, archive === undefined ? settings : { ...settings, archive: { use: archive } });
  return startProcess(java.executable, args, configuration, { log });
}
