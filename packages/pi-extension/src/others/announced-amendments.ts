import type { Amendment, LogEntry } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import { takeCall } from "../branch/calls-of.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import type { ExtensionChanges } from "./extension-changes.ts";
import { LogPositions } from "./log-positions.ts";
import { callsIn, textOfVersion } from "./text-of-version.ts";

/** What one open session was told of the work of others. */
export class AnnouncedAmendments {
  readonly #places = new LogPositions();
  #told: ReadonlyMap<string, PiMessage | null> = new Map();
  /** A session that was there before may know changes that are over since. */
  #isUnsure: boolean;

  constructor({ isNew }: { readonly isNew: boolean }) {
    this.#isUnsure = !isNew;
  }

  /** Tells a session before its next request what is new; nothing where nothing is. @throws what `tell` throws */
  async tell(
    { log, items, work: { changed } }: Followed & { readonly work: ExtensionChanges },
    tell: (news: readonly Amendment[]) => Promise<void>,
  ): Promise<void> {
    if (changed.size === 0 && this.#told.size === 0 && !this.#isUnsure) return;
    this.#places.follow(log, items);
    const told = new Map<string, PiMessage | null>();
    const news: Amendment[] = [];
    for (const [place, item] of items.entries()) {
      const at = this.#places.of(place);
      // What the log does not have has no place to be told by.
      if (at === undefined) break;
      const version = changed.get(item.entry);
      if (version !== undefined) told.set(item.entry, version);
      if (version !== this.#told.get(item.entry)) news.push(amendmentOf(item, version, at));
      else if (version === undefined && this.#isUnsure) news.push({ at });
    }
    if (news.length > 0) await tell(news);
    this.#told = told;
    this.#isUnsure = false;
  }

  /** Whether the session knows what is left of an item. */
  isTold({ entry }: BranchItem, { changed }: ExtensionChanges): boolean {
    return this.#told.get(entry) === changed.get(entry);
  }

  /** The branch's item that a message of a prompt is, by its place in the log. */
  itemAt({ log, items }: Followed, place: number): number | undefined {
    this.#places.follow(log, items);
    return this.#places.itemAt(place);
  }
}

/** A session's log, and the branch that it follows. */
interface Followed {
  readonly log: readonly LogEntry[];
  readonly items: readonly BranchItem[];
}

/** Undefined: as recorded. Null: nothing of it is left. */
function amendmentOf(item: BranchItem, version: PiMessage | null | undefined, at: number): Amendment {
  if (version === undefined) return { at };
  const text = version === null ? "" : textOfVersion(version);
  if (item.kind !== "answer") return { at, text };
  const args = changedArguments(item.message, version);
  return { at, text, ...(Object.keys(args).length === 0 ? {} : { args }) };
}

function changedArguments(message: PiMessage, version: PiMessage | null): Record<number, JsonObject> {
  const now = version === null ? [] : callsIn(version);
  const changed: Record<number, JsonObject> = {};
  for (const [call, { id, args }] of callsIn(message).entries()) {
    const made = takeCall(now, id)?.args ?? {};
    if (JSON.stringify(made) !== JSON.stringify(args)) changed[call] = made;
  }
  return changed;
}
