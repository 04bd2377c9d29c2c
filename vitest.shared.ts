import * as disk from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, type ViteUserConfig } from "vitest/config";

// Vitest can be run past the door, with any Node; on an old one no failure could even be printed.
if (Number.parseInt(process.versions.node, 10) < 22) {
  console.error(
    `The tests need Node 22.19 or newer, and this one is ${process.versions.node}: npm run dev in the root brings its own.`,
  );
  process.exit(1);
}

// What tests start compiles the same files again and again: it takes a third less of the processor with what it kept.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/**
 * What a test file needs, or costs, beyond a moment of one process. A file says it in its first lines:
 *
 *     // @module-tag xtdb
 *
 * A file without a tag is fast: `npm run check` runs those. `npm test -- --tagsFilter xtdb` runs the files of one tag.
 * `tools/test-tags.test.ts` holds the tags against what the files import.
 */
export const tags = [
  { name: "process", description: "starts programs: Node, git, a shell, a server" },
  { name: "xtdb", description: "starts XTDB" },
  { name: "pi", description: "starts a real Pi" },
  { name: "browser", description: "starts a browser" },
  { name: "long", description: "takes more than some two seconds of a processor" },
];

/** The tags that a test file's text names. */
export function tagsOf(text: string): string[] {
  return [...text.matchAll(/^\/\/ @module-tag ([\w-]+)$/gm)].flatMap(([, tag]) => tag ?? []);
}

/**
 * The one limit of every test, hook and wait: `tools/own-timeouts.test.ts` allows no shorter one. What starts a program
 * takes long where others use the machine, too, so the limit is for what hangs, and a slow machine fails nothing.
 */
export const patienceMs: number = process.env.CM_CAMPAIGN === "1" ? 7_200_000 : 600_000;

/** Asked for by `npm run check`: only files without a tag, and nothing is started for the others. */
const fastOnly = process.env.CM_TESTS === "fast";
/** Asked for by `npm run dev`: siblings are what their `src` says, built or not. */
const fromSources = process.env.CM_SOURCES === "1";

/** A thread starts from a file of its own, which a build has beside its index. From sources Node starts the source of it. */
export const threadSources: Readonly<Record<string, string>> = {
  'new URL("./store-worker.js", import.meta.url)': 'new URL("./worker.ts", import.meta.url)',
  'new URL("./reading-worker.js", import.meta.url)': 'new URL("../indexing/worker.ts", import.meta.url)',
};

const threadsFromSources = {
  name: "threads-from-sources",
  transform(code: string, id: string): string | undefined {
    const built = /[/\\]packages[/\\][\w-]+[/\\]src[/\\]/.test(id)
      ? Object.keys(threadSources).find((text) => code.includes(text))
      : undefined;
    return built === undefined ? undefined : code.replace(built, threadSources[built] ?? built);
  },
};

/** The name has our scope: some packages of others also publish a condition `source`, and not the files that it names. */
export const sourceCondition = "@cm/source";

/** Siblings are what their `src` says. */
const sources: ViteUserConfig = {
  ssr: { resolve: { conditions: [sourceCondition, "node", "development|production"] } },
  plugins: [threadsFromSources],
};

/**
 * Node reads our TypeScript by itself, and keeps what it has compiled: Vite would transform each file once more in each
 * project, and carry it to each worker. What Node takes no part in is the replacing of modules.
 */
const byNode: ViteUserConfig["test"] = { experimental: { viteModuleRunner: false, nodeLoader: false } };

function taggedBelow(folder: string, pattern: string): string[] {
  return disk
    .globSync(pattern, { cwd: folder, exclude: ["**/node_modules"] })
    .filter((path) => tagsOf(disk.readFileSync(join(folder, path), "utf8")).length > 0);
}

export interface TestsOptions {
  /** The project's name where no manifest says it. */
  readonly name?: string;
  readonly include?: string;
  /** What is prepared once, before the first test of a file that is not fast. */
  readonly globalSetup?: readonly string[];
  /**
   * `false` where tests leave no trace in their process: one process then runs all files, and loads what they share once.
   */
  readonly isolate?: boolean;
  /** Tests replace modules (`vi.mock`, `vi.resetModules`): Vite loads them. */
  readonly replacesModules?: boolean;
  /** How many `it.concurrent` run at a time. */
  readonly maxConcurrency?: number;
}

/** The one Vitest configuration: each package's `vitest.config.ts` is a call of it. */
export function tests(folder: string, options: TestsOptions = {}): ViteUserConfig {
  const { name, include = "test/**/*.test.ts", globalSetup = [], replacesModules = false, ...given } = options;
  return {
    ...(fromSources ? sources : {}),
    test: {
      ...(name === undefined ? {} : { name }),
      include: [include],
      exclude: [...configDefaults.exclude, ...(fastOnly ? taggedBelow(folder, include) : [])],
      globalSetup: fastOnly ? [] : [...globalSetup],
      tags,
      // Tests that start programs wait for them much of the time: one more than there are cores fills the gaps.
      maxWorkers: availableParallelism() + 1,
      testTimeout: patienceMs,
      hookTimeout: patienceMs,
      // Shorter than a test's, so that what was seen last is told.
      expect: { poll: { timeout: patienceMs / 2 } },
      ...(fromSources || replacesModules ? {} : byNode),
      ...given,
    },
  };
}

/** One Postgres for the files of all projects that name this; `@cm/private-postgres/vitest` hands out databases on it. */
export const postgresSetup: readonly string[] = [
  join(import.meta.dirname, "packages/private-postgres/vitest/setup.ts"),
];

/** One S3 server for the files of all projects that name this; `inject("s3Url")` is its address. */
export const s3Setup: readonly string[] = [join(import.meta.dirname, "tools/s3-server/vitest-setup.ts")];

const xtdbFile = (name: string): readonly string[] =>
  process.env.CM_XTDB_URL === undefined ? [join(import.meta.dirname, "xtdb/vitest", name)] : [];

/** Makes XTDB ready for tests that start nodes. With CM_XTDB_URL all runs against the node there, and none has to be prepared. */
export const xtdbSetup: readonly string[] = xtdbFile("prepare.ts");

/** Also starts one node for the files of all projects that name this; `withXtdb` of `@cm/xtdb-node/vitest` has its address. */
export const sharedXtdbSetup: readonly string[] = xtdbFile("setup.ts");
