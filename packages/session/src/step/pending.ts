import type { FileTouch } from "@cm/context-log";
import { ChangeLog, type Membership } from "@cm/context-log/state";
import { canonicalJson, type DocumentOf, defined, isSha256, type SetChanges, type StepMessage } from "@cm/object-model";
import type { Observed } from "../history/observed.ts";

/** What a session has taken in and no step says yet: the head of a paused one keeps it (SSOT 3.1). */
export type Pending = NonNullable<DocumentOf<"session">["pending"]>;

type StoredTouch = NonNullable<Pending["touches"]>[number];

interface PendingParts {
  readonly messages: readonly StepMessage[];
  readonly touches: readonly FileTouch[];
  readonly changes: SetChanges;
  readonly observed: Observed;
  readonly redactions: number;
}

/** Undefined where there is nothing. */
export function pendingOf({ messages, touches, changes, observed, redactions }: PendingParts): Pending | undefined {
  const pending: Pending = {
    ...(messages.length > 0 ? { messages: [...messages] } : {}),
    ...(touches.length > 0 ? { touches: touches.map(storedTouch) } : {}),
    ...(Object.keys(changes).length > 0 ? { changes } : {}),
    ...(observed.length > 0 ? { observed: [...observed] } : {}),
    ...(redactions > 0 ? { redactions } : {}),
  };
  return Object.keys(pending).length > 0 ? pending : undefined;
}

export function touchesOf({ touches = [] }: Pending): readonly FileTouch[] {
  return touches.map(({ source, as, start_line, end_line }) => ({
    binding: source,
    as,
    ...(start_line === undefined ? {} : { span: { startLine: start_line, ...defined({ endLine: end_line }) } }),
  }));
}

/** The tool calls that pending messages and changes bring. */
export function toolcallsIn({ messages = [], changes }: Pending): readonly string[] {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.object] : []));
  return [...new Set([...results, ...(changes?.index?.added ?? []).filter((id) => !isSha256(id))])];
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
    observed: [
      ...new Map([...(first.observed ?? []), ...(second.observed ?? [])].map((seen) => [seen.file, seen])).values(),
    ],
    redactions: (first.redactions ?? 0) + (second.redactions ?? 0),
  });
}

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

function storedTouch({ binding, as, span }: FileTouch): StoredTouch {
  return {
    source: binding,
    as,
    ...(span === undefined ? {} : { start_line: span.startLine }),
    ...(span?.endLine === undefined ? {} : { end_line: span.endLine }),
  };
}
