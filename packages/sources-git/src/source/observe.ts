import { isUtf8 } from "node:buffer";
import type { GitBinding, Observation, ObserveRequest } from "@cm/object-model";
import { limits } from "../limits.ts";
import { reasonOf, reasons, Trouble } from "../reasons.ts";
import type { Objects } from "../repository/objects.ts";
import type { RefState } from "../repository/refs.ts";
import type { Registry } from "../repository/registry.ts";
import { nameKey, type TreeEntry } from "../repository/tree.ts";

export interface Batch {
  readonly requests: readonly ObserveRequest<GitBinding>[];
  readonly contentBytesMax: number;
  readonly signal: AbortSignal;
  /** Called once for each request that is answered in time. */
  readonly onAnswer: (index: number, observation: Observation) => void;
}

/** Answers all requests of a batch, repository by repository. Never throws. */
export async function observeBatch(registry: Registry, batch: Batch): Promise<void> {
  const groups = [...groupedBy(batch.requests, ({ binding }) => binding.repo)];
  const workers = Array.from({ length: Math.min(limits.repositoriesAtOnce, groups.length) }, async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      await observeRepository(registry, group, batch);
    }
  });
  await Promise.all(workers);
}

async function observeRepository(
  registry: Registry,
  [repo, indexes]: readonly [string, readonly number[]],
  batch: Batch,
): Promise<void> {
  const { requests, signal, onAnswer } = batch;
  try {
    const repository = await registry.find(repo, signal);
    const wanted = new Set(indexes.map((index) => refOf(requests, index)));
    const { refs, objects } = await repository.look(wanted, signal);
    const roots = new Map<string, Promise<string | undefined>>();
    for (const [ref, state] of refs) roots.set(ref, settledLater(rootOf(state, objects)));
    for (let from = 0; from < indexes.length; from += limits.requestsAtOnce) {
      const portion = indexes.slice(from, from + limits.requestsAtOnce);
      const answers = portion.map(async (index) => {
        const request = requests[index];
        if (request === undefined) return;
        onAnswer(index, await observeOne(request, { roots, objects, contentBytesMax: batch.contentBytesMax }));
      });
      await Promise.all(answers);
    }
  } catch (error) {
    for (const index of indexes) onAnswer(index, unreachable(error));
  }
}

interface View {
  /** The root folder of each ref; `undefined` for a ref that is gone. */
  readonly roots: ReadonlyMap<string, Promise<string | undefined>>;
  readonly objects: Objects;
  readonly contentBytesMax: number;
}

async function observeOne(
  { binding, known, want = "content" }: ObserveRequest<GitBinding>,
  { roots, objects, contentBytesMax }: View,
): Promise<Observation> {
  try {
    const root = roots.get(binding.ref);
    if (root === undefined) throw new Trouble(reasons.tooManyRefs);
    const rootId = await root;
    const entry = rootId === undefined ? undefined : await walk(rootId, binding.path, objects);
    if (entry === undefined) return { kind: "absent" };
    if (entry.kind !== "file") throw new Trouble(notAFile[entry.kind]);
    if (want === "existence") return { kind: "exists" };
    const { id } = entry;
    if (known?.sourceHash === id) return { kind: "unchanged", state: { sourceHash: id } };
    return { kind: "present", sourceHash: id, content: await contentOf(id), state: { sourceHash: id } };
  } catch (error) {
    return unreachable(error);
  }

  async function contentOf(id: string): Promise<{ text: string } | { withheld: "binary" | "too_large" }> {
    const bytes = await objects.blob(id, contentBytesMax);
    if (bytes === undefined) return { withheld: "too_large" };
    return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { withheld: "binary" };
  }
}

const notAFile = {
  folder: reasons.folder,
  "symbolic-link": reasons.symbolicLink,
  submodule: reasons.submodule,
} as const;

/** The commit's entry at a path; `undefined` for none. Links are not followed: git has no file behind one. */
async function walk(rootId: string, path: string, objects: Objects): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = { kind: "folder", id: rootId };
  for (const component of path.split("/")) {
    if (entry.kind === "submodule") throw new Trouble(reasons.inSubmodule);
    if (entry.kind !== "folder") return undefined;
    const tree = objects.tree(entry.id);
    entry = (tree instanceof Promise ? await tree : tree).get(nameKey(component));
    if (entry === undefined) return undefined;
  }
  return entry;
}

async function rootOf(state: RefState, objects: Objects): Promise<string | undefined> {
  if ("unreachable" in state) throw new Trouble(state.unreachable);
  return "absent" in state ? undefined : objects.rootOf(state.id);
}

/** A promise that may fail before its first await. */
function settledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function unreachable(error: unknown): Observation {
  return { kind: "unreachable", reason: reasonOf(error) };
}

function refOf(requests: Batch["requests"], index: number): string {
  return requests[index]?.binding.ref ?? "";
}

function groupedBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return groups;
}
