import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { configuration, doorSources, home, made, maintenance } from "./folders.ts";
import { jarsAtAGlance, pinnedJars } from "./jars.ts";
import type { Java } from "./java.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** The engine's parts that a node of ours can load; without them Clojure compiles for 18 s at every start. */
const engineNamespaces = [
  ..."main cli rocksdb node jdbc jdbc.psql checkpoint cache cache.lru mem-kv query tx".split(" "),
  ..."kv.tx-log kv.document-store kv.index-store".split(" "),
].map((name) => `xtdb.${name}`);

const script = join(import.meta.dirname, "compile-namespaces.clj");

const hash = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 20);

/** The engine compiled ahead depends on its jars and on Java alone; undefined while a jar is missing. */
export function engineJar(java: Java): string | undefined {
  const jars = jarsAtAGlance();
  if (jars === undefined) return undefined;
  const key = hash(jars, java.build, engineNamespaces.join(), readFileSync(script, "utf8"));
  return join(made, "engine", key, "engine.jar");
}

/** What runs beside the engine: in front of it, and on the folders of one that is stopped. */
const sources = [doorSources, maintenance];

function doorFiles(): string[] {
  return [
    ...sources.flatMap((cwd) => globSync("**/*.clj", { cwd }).map((path) => join(cwd, path))),
    ...globSync("*", { cwd: configuration }).map((path) => join(configuration, path)),
  ].sort();
}

/** Everything that belongs to one state of our sources: `xtdb/lib/prepared/KEY`; undefined while a jar is missing. */
export function preparedFolder(java: Java): string | undefined {
  const engine = engineJar(java);
  if (engine === undefined) return undefined;
  return join(made, "prepared", hash(engine, ...doorFiles().flatMap((path) => [path, readFileSync(path, "utf8")])));
}

/** Compiles the engine once per set of jars; a name that exists is complete, since it appears by renaming. */
export async function compileEngine(java: Java, jar: string, signal?: AbortSignal): Promise<void> {
  if (existsSync(jar)) return;
  await compile(java, { jar, namespaces: engineNamespaces, classPath: pinned(), signal });
}

/** Compiles the door and the maintenance, on top of the compiled engine, together with the log's configuration. */
export async function compileDoor(java: Java, engine: string, jar: string, signal?: AbortSignal): Promise<void> {
  const namespaces = sources
    .flatMap((cwd) => globSync("**/*.clj", { cwd }))
    .map((path) => path.slice(0, -".clj".length).replace(/[/\\]/g, ".").replaceAll("_", "-"))
    .sort();
  const classPath = [engine, ...sources, ...pinned()];
  await compile(java, { jar, namespaces, classPath, extra: configuration, signal });
}

export const pinned = (): string[] => pinnedJars().map(({ path }) => path);

interface Compilation {
  readonly jar: string;
  readonly namespaces: readonly string[];
  readonly classPath: readonly string[];
  readonly extra?: string;
  readonly signal: AbortSignal | undefined;
}

async function compile(java: Java, { jar, namespaces, classPath, extra = "-", signal }: Compilation): Promise<void> {
  const folder = join(jar, "..");
  const aside = join(made, `compiling-${randomUUID()}`);
  const classes = join(aside, "classes");
  await mkdir(classes, { recursive: true });
  try {
    const path = [classes, ...classPath].join(delimiter);
    // The first compiler alone: the second never pays for itself within so short a run.
    const flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-Dfile.encoding=UTF-8"];
    const args = [
      ...flags,
      "-cp",
      path,
      "clojure.main",
      script,
      classes,
      join(aside, "made.jar"),
      extra,
      ...namespaces,
    ];
    const ended = await runProgram(java.executable, args, { cwd: home, timeoutMs: nodeLimits.compileMs, signal });
    if (ended.outcome === "aborted") throw new NodeError("node/aborted", "Compiling XTDB was interrupted.");
    if (ended.outcome === "too-slow") {
      const minutes = nodeLimits.compileMs / 60_000;
      const message = `XTDB was not compiled within ${minutes} minutes: the machine has too much else to do. Try again.`;
      throw new NodeError("node/compile", message);
    }
    if (ended.code !== 0) {
      const [, complaint = lastLines(ended.output, 3)] =
        /^(Syntax error.*|Execution error.*|.*Exception.*)$/m.exec(ended.output) ?? [];
      throw new NodeError("node/compile", `XTDB could not be compiled: ${complaint}`, ended.output);
    }
    await mkdir(folder, { recursive: true });
    await rename(join(aside, "made.jar"), jar);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
