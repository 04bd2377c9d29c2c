import { type BroughtFile, fileTypeOf, type NullReason, type ResultEntry, sealDocument } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { StepObjects } from "./advance.ts";
import type { SessionState } from "./session-state.ts";

/**
 * Tells new results which files came into the index since the newest result before them: each at the first call that
 * names it, what came in another way at the last. Everything in it follows from recorded steps and from a file's
 * source, so that a prompt that is rebuilt has the same bytes, whichever versions of the file are left.
 * @param from where in the log the results begin that have not been sent
 */
export function tellBrought(state: SessionState, from: number, objects: Pick<StepObjects, "pathOf">): void {
  const results = state.log.slice(from).filter((entry) => entry.kind === "result");
  const last = results.at(-1);
  if (last === undefined || state.untold.size === 0) return;
  const brought = new Map<ResultEntry, string[]>();
  const firsts = new Map(results.toReversed().flatMap((entry) => entry.files.map((id) => [id, entry] as const)));
  for (const id of inOrderOfAlias(state)) {
    const by = firsts.get(id) ?? last;
    brought.set(by, [...(brought.get(by) ?? []), id]);
    state.untold.delete(id);
  }
  for (const [entry, ids] of brought) {
    state.log[entry.at] = { ...entry, brought: ids.map((id) => broughtFile(state, id, objects)) };
  }
}

function inOrderOfAlias({ untold, sets, objects }: SessionState): readonly string[] {
  const numberOf = (id: string): number => Number(objects.get(id)?.alias.slice(1));
  return [...untold].filter((id) => sets.index.has(id)).sort((a, b) => numberOf(a) - numberOf(b));
}

function broughtFile(state: SessionState, id: string, objects: Pick<StepObjects, "pathOf">): BroughtFile {
  const { contentHash, display } = state.inSight.get(id) ?? {};
  const known = state.objects.get(id);
  const canonical = objects.pathOf === undefined ? known?.path : objects.pathOf(id);
  if (canonical === undefined) return { object: id, path: "", textless: "erased" };
  const textless = nullReasonOf(contentHash, known?.fileType ?? fileTypeOf(canonical));
  return { object: id, path: display ?? canonical, ...(textless === undefined ? {} : { textless }) };
}

const nullReasons = ["unread", "deleted", "binary", "too_large"] as const satisfies readonly NullReason[];
const hashesOfType = new Map<string, ReadonlyMap<string, NullReason>>();

/** Why a version has no text, by its hash alone: of versions without text all fields are known. */
function nullReasonOf(contentHash: string | undefined, fileType: string): NullReason | undefined {
  if (contentHash === undefined) return undefined;
  let hashes = hashesOfType.get(fileType);
  if (hashes === undefined) {
    if (hashesOfType.size >= limits.fileTypesKeptMax) hashesOfType.clear();
    hashes = new Map(nullReasons.map((reason) => [hashWithout(reason, fileType), reason]));
    hashesOfType.set(fileType, hashes);
  }
  return hashes.get(contentHash);
}

function hashWithout(reason: NullReason, fileType: string): string {
  const source = { type: "filesystem", filesystemId: "any", path: "/any" };
  const payload = { content: null, file_type: fileType, char_count: 0, null_reason: reason };
  return sealDocument({ type: "file", source }, payload).content_hash;
}
