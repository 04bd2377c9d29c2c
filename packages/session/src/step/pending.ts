import type { FileTouch } from "@cm/context-log";
import { ChangeLog, type Membership, type StepObjects } from "@cm/context-log/state";
import {
  canonicalJson,
  type DocumentOf,
  defined,
  isSha256,
  nonEmpty,
  type ObjectStore,
  type SetChanges,
  type StepMessage,
} from "@cm/object-model";
import { readWanted, type Wanted } from "@cm/step-log/load";
import type { FileIndex } from "../files/file-index.ts";
import type { Observed } from "../files/observed.ts";
import type { IndexedFile } from "../files/touches.ts";

/** What a session has taken in and no step says yet: the head of a paused one keeps it (SSOT 3.1). */
export type Pending = NonNullable<DocumentOf<"session">["pending"]>;

type StoredTouch = NonNullable<Pending["touches"]>[number];

/** A file that a late result touched. */
export interface LateTouch extends FileTouch {
  /** As it was found then, null where it was not there. Absent where no source could tell. */
  readonly sourceHash?: string | null;
}

export interface PendingParts {
  readonly messages: readonly StepMessage[];
  readonly touches: readonly LateTouch[];
  readonly changes: SetChanges;
  readonly observed: Observed;
  readonly redactions: number;
}

/** Undefined where there is nothing. */
export function pendingOf({ messages, touches, changes, observed, redactions }: PendingParts): Pending | undefined {
  const pending: Pending = {
    ...nonEmpty({ messages: [...messages], touches: touches.map(storedTouch) }),
    ...(Object.keys(changes).length > 0 ? { changes } : {}),
    ...nonEmpty({ observed: [...observed] }),
    ...(redactions > 0 ? { redactions } : {}),
  };
  return Object.keys(pending).length > 0 ? pending : undefined;
}

export function touchesOf({ touches = [] }: Pending): readonly LateTouch[] {
  return touches.map(({ source, as, start_line, end_line, source_hash }) => ({
    binding: source,
    as,
    ...defined({ sourceHash: source_hash }),
    ...(start_line === undefined ? {} : { span: { startLine: start_line, ...defined({ endLine: end_line }) } }),
  }));
}

/** What two clients left, the one that was there first before the other: nothing that was taken in is lost. */
export function bothPending(first: Pending | undefined, second: Pending | undefined): Pending | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const changes = new ChangeLog();
  changes.add(first.changes ?? {});
  changes.add(second.changes ?? {});
  return pendingOf({
    messages: [...(first.messages ?? []), ...(second.messages ?? [])],
    touches: [...touchesOf(first), ...touchesOf(second)],
    changes: changes.sum(),
    observed: newestOf([...(first.observed ?? []), ...(second.observed ?? [])]),
    redactions: (first.redactions ?? 0) + (second.redactions ?? 0),
  });
}

/** Of each file the newest one. */
export const newestOf = (observed: Observed): Observed => [
  ...new Map(observed.map((seen) => [seen.file, seen])).values(),
];

export function samePending(a: Pending | undefined, b: Pending | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/**
 * The part of pending changes that these sets allow: all of it where the session was paused as it is now. Where another
 * client made steps meanwhile, an object may no longer be where it was.
 * @param newest what stands for an object by now: what was wished of a file holds for the one in its place
 */
export function fittingChanges(
  sets: Membership,
  meant: SetChanges,
  newest: (id: string) => string = (id) => id,
): SetChanges {
  const changes = ofNewest(meant, newest);
  const log = new ChangeLog();
  const now = log.over(sets);
  log.add({ index: { added: (changes.index?.added ?? []).filter((id) => !now.index.has(id)) } });
  log.add({ pool: { added: added(changes.pool).filter((id) => now.index.has(id) && !now.pool.has(id)) } });
  for (const name of ["active", "pinned", "dismissed", "requested"] as const) {
    const around = name === "active" || name === "pinned" ? now.pool : now.index;
    log.add({
      [name]: {
        added: added(changes[name]).filter((id) => around.has(id) && !now[name].has(id)),
        removed: removed(changes[name]).filter((id) => now[name].has(id)),
      },
    });
  }
  const isHeld = (id: string) => now.active.has(id) || now.pinned.has(id);
  log.add({ pool: { removed: removed(changes.pool).filter((id) => now.pool.has(id) && !isHeld(id)) } });
  return log.sum();
}

/** A file that left a set for the one in its place did not leave it. */
function ofNewest({ index, ...sets }: SetChanges, newest: (id: string) => string): SetChanges {
  const changes = Object.entries(sets).map(([name, change]) => {
    const into = new Set(added(change).map(newest));
    const outOf = new Set(removed(change).map(newest));
    return [name, { added: [...into], removed: [...outOf].filter((id) => !into.has(id)) }];
  });
  return { ...Object.fromEntries(changes), ...defined({ index }) };
}

type Change = SetChanges["pool"];

const added = (change: Change): readonly string[] => change?.added ?? [];

const removed = (change: Change): readonly string[] => change?.removed ?? [];

function storedTouch({ binding, as, span, sourceHash }: LateTouch): StoredTouch {
  return {
    source: binding,
    as,
    ...defined({ start_line: span?.startLine, end_line: span?.endLine, source_hash: sourceHash }),
  };
}

/** A message that was taken in, with what belongs to it. */
export interface TakenMessage {
  readonly message: StepMessage;
  /** The object of a result that came late. */
  readonly toolcall?: DocumentOf<"toolcall">;
}

/** A file of another session, and the version of it that came into sight. */
export interface Adopted {
  readonly seen: Observed[number];
  readonly document: DocumentOf<"file">;
}

/** What pending messages and changes name: late results, and files that were adopted. */
export interface PendingObjects {
  readonly toolcall: StepObjects["toolcall"];
  readonly files: readonly IndexedFile[];
}

/** About the room a message takes in the step's document. */
export function storedChars(message: StepMessage): number {
  return 64 + (message.role === "user" ? JSON.stringify(message.text).length : 0);
}

/** The documents of files that were looked at. */
export function documentIn(files: readonly IndexedFile[]): StepObjects["file"] {
  const documents = new Map(files.map(({ id, document }) => [id, document]));
  return (id) => documents.get(id);
}

/** The objects that messages, changes and observations name. */
export function wantedBy(
  messages: readonly StepMessage[],
  { index, requested }: SetChanges,
  observed: Observed,
): Wanted {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.object] : []));
  // A call that is asked for may have left the prompt.
  const named = [...(index?.added ?? []), ...(requested?.added ?? [])];
  return {
    toolcalls: [...new Set([...results, ...named.filter((id) => !isSha256(id))])],
    files: observed.map(({ file, content_hash, display }) => [file, { contentHash: content_hash, display }]),
  };
}

/**
 * Reads what a paused session's head names: late results, and file versions that came into sight. Those, and the files
 * that late results touched, are looked at from now on, as they were before the pause.
 */
export async function readPendingObjects(
  store: ObjectStore,
  files: FileIndex,
  pending: Pending | undefined,
): Promise<PendingObjects> {
  if (pending === undefined) return { toolcall: () => undefined, files: [] };
  const { messages = [], changes = {}, observed = [] } = pending;
  const objects = await readWanted(store, wantedBy(messages, changes, observed));
  for (const { sourceHash, ...touch } of touchesOf(pending)) {
    if (sourceHash !== undefined) files.resumeAt(touch, sourceHash);
  }
  const versions = observed.flatMap(({ file, content_hash, display, succeeds }) => {
    const document = objects.file(file, content_hash);
    if (document === undefined) return [];
    const seen = { id: file, outcome: "unchanged", document, write: undefined } as const;
    return [{ ...seen, display: displayNow(files, document, display), ...defined({ succeeds }) }];
  });
  for (const { document } of versions) files.resume(document);
  return { toolcall: objects.toolcall, files: versions };
}

/** Mounts may be others by now; where no source can tell, it is what it was. */
function displayNow(files: FileIndex, { source }: DocumentOf<"file">, before: string | undefined): string | undefined {
  const isKnown = source !== null && files.pathNow(source) !== undefined;
  return isKnown ? files.displayOf(source) : before;
}
