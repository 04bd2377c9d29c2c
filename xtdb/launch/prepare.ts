import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeClassArchive } from "./class-archive.ts";
import { compileDoor, compileEngine, engineJar, pinned, preparedFolder } from "./compile.ts";
import { checksums, made } from "./folders.ts";
import { fetchJars, jarsAtAGlance } from "./jars.ts";
import { findJava, type Java, requireJava } from "./java.ts";
import { nodeLimits, oldestJava } from "./limits.ts";
import { withLock } from "./lock.ts";
import { NodeError } from "./node-error.ts";

export interface PrepareOptions {
  /** Gets one short line before each step that takes a while; nothing when all is prepared. */
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** The files of a start; they exist only if complete. */
export interface Prepared {
  readonly java: Java;
  readonly classPath: readonly string[];
  readonly archive: string | undefined;
  readonly temporaryFolder: string;
}

/** The folder of one state of sources, jars and Java. */
function layout(folder: string) {
  return {
    folder,
    door: join(folder, "door.jar"),
    archive: join(folder, "classes.jsa"),
    temporary: join(folder, "tmp"),
    /** Written last: without it the rest is the remains of an interrupted attempt. */
    complete: join(folder, "complete"),
  };
}

/** The prepared state that fits this Java, these jars and these sources; undefined when there is none. */
export function findPrepared(java: Java): Prepared | undefined {
  const engine = engineJar(java);
  const folder = preparedFolder(java);
  if (engine === undefined || folder === undefined) return undefined;
  const { door, archive, temporary, complete } = layout(folder);
  if (!existsSync(complete) || !existsSync(engine)) return undefined;
  return {
    java,
    classPath: [engine, door, ...pinned()],
    archive: existsSync(archive) ? archive : undefined,
    temporaryFolder: temporary,
  };
}

/** Says in a phrase what a start of a node lacks on this machine, or undefined when nothing. Takes milliseconds. */
export function whatIsMissing(): string | undefined {
  const java = findJava();
  if (java === undefined) return `Java ${oldestJava}`;
  if (!existsSync(checksums) || jarsAtAGlance() === undefined) return "XTDB's jars";
  return findPrepared(java) === undefined ? "XTDB compiled ahead (npm run xtdb -- prepare)" : undefined;
}

/**
 * Fetches the jars, compiles the engine and the door ahead and makes the class archive, each only where it is not
 * there yet. Any number of processes may call it at once: one works, the others wait. Throws a NodeError.
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  const { progress = () => {}, signal } = options;
  const java = requireJava();
  if (findPrepared(java) !== undefined) return;
  const onWait = (): void => progress("Another process is preparing XTDB; waiting for it");
  await withLock(join(made, "prepare.lock"), () => work(java, progress, signal), { signal, onWait });
}

async function work(java: Java, progress: (line: string) => void, signal?: AbortSignal): Promise<void> {
  await removeRemains();
  await fetchJars(progress, signal);
  const engine = engineJar(java);
  const folder = preparedFolder(java);
  if (engine === undefined || folder === undefined) {
    throw new NodeError("node/not-prepared", "XTDB's jars vanished while they were used; run the same command again.");
  }
  const { door, archive, temporary, complete } = layout(folder);
  if (existsSync(complete) && existsSync(engine)) return;
  if (!existsSync(engine)) progress("Compiling XTDB ahead, once (about 20 s)");
  await compileEngine(java, engine, signal);
  await rm(folder, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  progress("Compiling the door");
  await compileDoor(java, engine, door, signal);
  progress("Making the class archive");
  const classPath = [engine, door, ...pinned()];
  if (!(await makeClassArchive(java, { classPath, temporaryFolder: temporary, archive }, signal))) {
    progress("This Java makes no class archive; starts will take longer");
  }
  await writeFile(complete, "");
  await keepNewest(join(made, "prepared"));
  await keepNewest(join(made, "engine"));
}

/** A compilation that was killed leaves its folder behind; we hold the lock, so none is at work. */
async function removeRemains(): Promise<void> {
  const names = readdirSync(made).filter((name) => name.startsWith("compiling-"));
  for (const name of names) await rm(join(made, name), { recursive: true, force: true });
}

async function keepNewest(folder: string): Promise<void> {
  const age = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const states = readdirSync(folder).map((name) => join(folder, name));
  const old = states.sort((a, b) => age(b) - age(a)).slice(nodeLimits.preparedStatesMax);
  for (const state of old) await rm(state, { recursive: true, force: true });
}
