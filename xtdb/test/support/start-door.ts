import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { type EdnMap, ednText } from "../../launch/edn-text.ts";
import { requireJava } from "../../launch/java.ts";
import { javaArguments, javaEnvironment } from "../../launch/java-arguments.ts";
import { startProcess, type XtdbNode } from "../../launch/node-process.ts";
import { findPrepared } from "../../launch/prepare.ts";

export interface DoorStart {
  /** Options of the door itself, its limits among them. */
  readonly door?: EdnMap;
  /** Further parts of the configuration. */
  readonly parts?: EdnMap;
}

export interface DoorProcessStart extends DoorStart {
  readonly heapMiB?: number;
  readonly log?: (line: string) => void;
}

const configurationOf = ({ door = {}, parts = {} }: DoorStart): string =>
  ednText({
    ...parts,
    ":cm.xtdb.door/server": { ":xtdb/module": { symbol: "cm.xtdb.door/->server" }, ":port": 0, ...door },
  });

function javaFor(heapMiB: number, sources: readonly string[] = []): { executable: string; args: string[] } {
  const java = requireJava();
  const prepared = findPrepared(java);
  expect.assert(prepared !== undefined, "XTDB is prepared");
  const { temporaryFolder, archive } = prepared;
  const settings = { classPath: [...prepared.classPath, ...sources], temporaryFolder, heapMiB, quick: true };
  const args = javaArguments(java, archive === undefined ? settings : { ...settings, archive: { use: archive } });
  return { executable: java.executable, args };
}

/**
 * A process with a node in memory whose door has just these options: what `startNode` does not let through, such as
 * small limits.
 */
export async function startDoorProcess({ heapMiB = 256, log, ...start }: DoorProcessStart = {}): Promise<XtdbNode> {
  const { executable, args } = javaFor(heapMiB);
  return startProcess(executable, args, configurationOf(start), { log });
}

/** A node that has its process in common with others. */
export type Door = Pick<XtdbNode, "url" | "port" | "stop">;

/** The same as one of many nodes of one process, for tests that ask nothing of the process: it starts in a tenth of the time. */
export async function startDoor(start: DoorStart = {}): Promise<Door> {
  doors ??= openDoors();
  return doors(configurationOf(start));
}

let doors: ((configuration: string) => Promise<Door>) | undefined;

/** It ends with this process, since its input does. */
function openDoors(): (configuration: string) => Promise<Door> {
  const { executable, args } = javaFor(512, [join(import.meta.dirname, "doors")]);
  const child = spawn(executable, [...args, "clojure.main", "-m", "cm.xtdb.doors"], {
    env: javaEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  child.once("exit", () => {
    doors = undefined;
    for (const { reject } of waiting.values()) reject(new Error("The process of the doors has ended."));
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [, number, answer = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
    waiting.get(Number(number))?.resolve(answer);
  });
  const ask = (number: number, configuration = ""): Promise<string> => {
    const asked = Promise.withResolvers<string>();
    waiting.set(number, asked);
    child.stdin.write(`[${number} ${configuration}]\n`);
    return asked.promise;
  };
  let last = 0;
  return async (configuration) => {
    last += 1;
    const number = last;
    const answer = await ask(number, configuration);
    const [, url] = /^listening (.*)$/.exec(answer) ?? [];
    if (url === undefined) throw new Error(answer);
    let stopped: Promise<unknown> | undefined;
    const stop = async (): Promise<void> => {
      stopped ??= ask(number);
      await stopped;
    };
    return { url, port: Number(new URL(url).port), stop };
  };
}
