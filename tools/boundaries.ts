import { posix } from "node:path";
import { importsOf, packageOf } from "./imports.ts";

const model = "@cm/object-model";
const log = "@cm/context-log";
const steps = "@cm/step-log";
const calls = "@cm/tool-calls";
const grammar = "@cm/prompt-grammar";
const governance = "@cm/governance";
const client = "@cm/xtdb-client";
const node = "@cm/xtdb-node";
const text = "@cm/terminal-text";
const place = "@cm/store-place";
const scripted = "@cm/scripted-models";
const postgres = "@cm/private-postgres";

const level0: Record<string, readonly string[]> = {
  [model]: [],
  [client]: [],
  [node]: [],
  [text]: [],
  [place]: [],
  [postgres]: [],
};

/** Between the documents and the packages that show them to a model, or let it act; what calls did; pages for people. */
const level05: Record<string, readonly string[]> = {
  [log]: [model],
  [governance]: [model],
  [calls]: [model],
  "@cm/report-page": [text],
};

/** What is stored of sessions, and what stands in prompts, for those who write it and those who read it. */
const level075: Record<string, readonly string[]> = { [steps]: [model, log], [grammar]: [model, log] };

const level1: Record<string, readonly string[]> = {
  "@cm/session": [model, log, steps],
  "@cm/render": [model, log, calls, grammar],
  "@cm/context-tool": [model, log],
  "@cm/sources-fs": [model],
  "@cm/sources-container": [model],
  "@cm/sources-git": [model],
  "@cm/sources-s3": [model],
  "@cm/store-sqlite": [model],
  "@cm/store-postgres": [model],
  "@cm/store-xtdb": [model, client],
  "@cm/journal": [model],
  "@cm/lineage": [model],
  "@cm/portable": [model],
  "@cm/testkit": [model, log],
  "@cm/workspace": [model, governance],
  "@cm/write-behind": [model],
  [scripted]: [model, log],
};

/** What is made of packages of level 1, for programs of any kind. */
const level15: Record<string, readonly string[]> = {
  "@cm/recordings": [model, calls, "@cm/journal"],
  "@cm/exchange": [model, log, steps, "@cm/session", "@cm/render", "@cm/journal", "@cm/recordings"],
  "@cm/replay": [model, log, calls, "@cm/session", "@cm/render", "@cm/recordings"],
};

/** All packages that others may import. Level 2 is missing here: no package imports it, not even one of level 2. */
const importable = [level0, level05, level075, level1, level15].flatMap((level) => Object.keys(level));

/** All measured packages: the private member with the benches is above the programs, and no package imports it. */
const programs = ["@cm/experiments", "@cm/pi-extension", "@cm/cli", "@cm/server"];

const level2: Record<string, readonly string[]> = {
  "@cm/experiments": importable,
  "@cm/pi-extension": importable,
  "@cm/cli": importable,
  "@cm/server": importable,
};

/** Members that only this workspace has and that drive it: what they are made of may use `tools/`, as tests do. */
const ofTheWorkspace = [scripted, postgres];

const level3: Record<string, readonly string[]> = { "@cm/bench": [...importable, ...programs] };

/** The picture in docs/architecture.md as a table: what each package may import of ours, built or still to come. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  ...level0,
  ...level05,
  ...level075,
  ...level1,
  ...level15,
  ...level2,
  ...level3,
};

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A file below `src/` or `test/`; its path is relative to the package and written with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const ours = (names: readonly string[]): string[] => names.filter((name) => name.startsWith("@cm/"));

/** The packages that users of the package install with it. */
const runtime = ({ dependencies, peerDependencies, optionalDependencies }: Manifest): string[] =>
  Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });

/** Every way in which a package crosses its boundaries, one sentence each. Empty means it obeys. */
export function violations(manifest: Manifest, sources: readonly SourceFile[]): string[] {
  const { name } = manifest;
  const allowed = arrows[name];
  if (allowed === undefined) return [`${name} has no row in tools/boundaries.ts`];
  const bundled = runtime(manifest);
  const development = Object.keys(manifest.devDependencies ?? {});
  return [
    ...ours(bundled)
      .filter((other) => !allowed.includes(other))
      .map((other) => `${name} may not depend on ${other}`),
    ...ours(development)
      .filter((other) => !importable.includes(other))
      .map((other) => `${name} may not use ${other}, not even in tests`),
    ...sources.flatMap((source) => {
      const isTest = source.path.startsWith("test/");
      // A test may import its own package as users do: what runs in threads is there only once it is built.
      const declared = isTest ? [...bundled, ...development, name] : bundled;
      return importsOf(source.text)
        .map((specifier) => importFault(source.path, specifier, { declared, usesTools: ofTheWorkspace.includes(name) }))
        .filter((fault) => fault !== undefined)
        .map((fault) => `${name}: ${source.path} ${fault}`);
    }),
  ];
}

function importFault(
  path: string,
  specifier: string,
  { declared, usesTools }: { readonly declared: readonly string[]; readonly usesTools: boolean },
): string | undefined {
  const isTest = path.startsWith("test/");
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(path), specifier);
    // `packages/x/../../tools/`, and `xtdb/../tools/`, is where tests find `requirement.ts`.
    const leaves = target.startsWith("../") && !((isTest || usesTools) && /^(\.\.\/){1,2}tools\//.test(target));
    return leaves ? `leaves the package: ${specifier}` : undefined;
  }
  if (/^@cm\/[^/]+\/(src|dist|test)(\/|$)/.test(specifier)) return `reaches into a package: ${specifier}`;
  const wanted = packageOf(specifier);
  if (wanted === undefined || declared.includes(wanted)) return undefined;
  // Tests share the tools that the workspace root declares.
  if (isTest && !wanted.startsWith("@cm/")) return undefined;
  return `imports ${wanted}, which its package.json does not declare`;
}
