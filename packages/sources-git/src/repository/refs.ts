import { fullNamesOf, isObjectId, isRef } from "../binding/ref-name.ts";
import { limits } from "../limits.ts";
import { type RunOptions, repositoryTrouble, runGit } from "../process/run-git.ts";
import { type Reason, reasons, Trouble } from "../reasons.ts";
import { RefFolders } from "./ref-folders.ts";

/** The target of a ref: an object, none (confirmed), or unknown. */
export type RefState = { readonly id: string } | { readonly absent: true } | { readonly unreachable: Reason };

/**
 * Looks up refs by their exact names, all of one batch in one short process. It is also what shows that the repository
 * is in order, so it runs where no name needs it, too.
 *
 * `git cat-file` could do this without a process. But it reads `refs/heads/fix-gbeef` as the object `beef` once that
 * branch is deleted, and knows other ways to find something under a name that is gone.
 * @throws Trouble where the repository cannot be read
 */
export async function lookUpRefs(
  refs: Iterable<string>,
  options: RunOptions & { readonly gitFolder: string },
): Promise<ReadonlyMap<string, RefState>> {
  const wanted = [...refs].slice(0, limits.refsPerLookMax);
  const found = new Map<string, string>();
  let complaints = false;
  for (const names of inPortions(wanted.filter(isRef).flatMap(fullNamesOf))) {
    const { code, stdout, stderr } = await runGit(
      ["for-each-ref", "--format=%(objectname) %(refname)", ...names.map(exactly)],
      options,
    );
    if (code !== 0) throw repositoryTrouble(stderr);
    complaints ||= stderr !== "";
    readRefs(stdout.toString("utf8"), found);
  }
  const states = new Map<string, RefState>();
  const folders = new RefFolders(options.gitFolder);
  for (const ref of wanted) states.set(ref, await stateOf(ref, { found, folders, complaints }));
  return states;
}

/**
 * A pattern for this name alone. As a plain pattern, `refs/heads` would list every branch; with its last character
 * escaped it is a glob, and those match whole names.
 */
function exactly(name: string): string {
  const last = [...name].at(-1) ?? "";
  return `${name.slice(0, -last.length)}\\${last}`;
}

interface Listed {
  readonly found: ReadonlyMap<string, string>;
  readonly folders: RefFolders;
  readonly complaints: boolean;
}

async function stateOf(ref: string, { found, folders, complaints }: Listed): Promise<RefState> {
  // Bindings also come from stores, where they were not parsed.
  if (!isRef(ref)) return { unreachable: reasons.noRef };
  if (isObjectId(ref)) return { id: ref };
  for (const name of fullNamesOf(ref)) {
    if (await folders.isClosedTo(name)) return { unreachable: reasons.brokenRef };
    const id = found.get(name);
    if (id !== undefined) return { id };
  }
  // A ref that git could not read is left out with a warning. That is not gone.
  return complaints ? { unreachable: reasons.brokenRef } : { absent: true };
}

function readRefs(text: string, found: Map<string, string>): void {
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/.+)$/.exec(line) ?? [];
    if (id === undefined || name === undefined) throw new Trouble(reasons.gitUnclear);
    found.set(name, id);
  }
}

/** One portion at least: a look at no name still looks at the repository. */
function inPortions(names: readonly string[]): readonly (readonly string[])[] {
  const first: string[] = [];
  const portions = [first];
  let portion = first;
  let bytes = 0;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 1;
    if (bytes > limits.argumentBytesMax && portion.length > 0) {
      portion = [];
      portions.push(portion);
      bytes = Buffer.byteLength(name) + 1;
    }
    portion.push(name);
  }
  // Without any name git would list all.
  if (first.length === 0) first.push("refs/no/such/ref");
  return portions;
}
