import type { PiMessage, SessionEntry } from "../pi/pi-types.ts";
import type { BranchItem } from "./branch-item.ts";
import { callsOf, takeCall } from "./calls-of.ts";
import { withoutKept } from "./kept-mark.ts";

/** Marks a compaction or a branch summary as this extension's: its messages stay in the session's own log. */
export const ownDetails = { cm: 1 } as const;

/**
 * The branch as the model would see it without us, from the root to the leaf. A compaction of another extension hides
 * what lies before the first entry that it keeps, as in Pi; ours hides nothing, since the session's own log is what
 * shrinks.
 */
export function branchItems(entries: readonly SessionEntry[]): readonly BranchItem[] {
  const cut = entries.findLastIndex(isForeignCompaction);
  const compaction = entries[cut];
  if (compaction?.type !== "compaction") return paired(entries.flatMap(itemOf));
  const kept = entries.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const { id: entry, summary, tokensBefore } = compaction;
  const timestamp = Date.parse(compaction.timestamp);
  return paired([
    { kind: "said", entry, message: { role: "compactionSummary", summary, tokensBefore, timestamp } },
    ...(kept === -1 ? [] : entries.slice(kept, cut).flatMap(itemOf)),
    ...entries.slice(cut + 1).flatMap(itemOf),
  ]);
}

/** The same for messages with unknown entries. */
export function itemsOfMessages(messages: readonly PiMessage[]): readonly BranchItem[] {
  return paired(messages.flatMap((message, place) => messageItem(`message ${place}`, message)));
}

function paired(items: readonly BranchItem[]): readonly BranchItem[] {
  return items.filter(pairing());
}

/**
 * Holds for items in their order, but for results of calls that the newest answer did not make, such as of one that
 * broke off, and for results that come twice.
 */
function pairing(): (item: BranchItem) => boolean {
  let waiting: ReturnType<typeof callsOf> = [];
  return (item) => {
    if (item.kind === "result") return takeCall(waiting, item.message.toolCallId) !== undefined;
    if (item.kind === "answer") waiting = callsOf(item.message);
    return true;
  };
}

/** The items of a branch that mostly grows at its end: then only what is new is looked at. */
export class GrowingItems {
  #items: readonly BranchItem[] = [];
  #entries = 0;
  #last: SessionEntry | undefined;
  #isPaired = pairing();

  of(entries: readonly SessionEntry[]): readonly BranchItem[] {
    const added = entries.slice(this.#entries);
    const goesOn = this.#entries > 0 && entries[this.#entries - 1] === this.#last;
    if (goesOn && !added.some(isForeignCompaction)) {
      this.#items = [...this.#items, ...added.flatMap(itemOf).filter(this.#isPaired)];
    } else {
      this.#isPaired = pairing();
      this.#items = branchItems(entries).filter(this.#isPaired);
    }
    this.#entries = entries.length;
    this.#last = entries.at(-1);
    return this.#items;
  }
}

const isForeignCompaction = (entry: SessionEntry): boolean => entry.type === "compaction" && !isOwnCompaction(entry);

export const isOwnCompaction = ({ details }: CompactionEntry): boolean => isOwn(details);

function itemOf(entry: SessionEntry): readonly BranchItem[] {
  switch (entry.type) {
    case "message":
      return messageItem(entry.id, entry.message);
    case "custom_message": {
      const { customType, content, display, details } = entry;
      const timestamp = Date.parse(entry.timestamp);
      return messageItem(entry.id, { role: "custom", customType, content, display, details, timestamp });
    }
    case "branch_summary": {
      const { fromId, summary } = entry;
      const timestamp = Date.parse(entry.timestamp);
      if (summary === "") return [];
      return [{ kind: "said", entry: entry.id, message: { role: "branchSummary", summary, fromId, timestamp } }];
    }
    case "compaction":
      return toldItem(entry);
    default:
      return [];
  }
}

/** What a compaction of ours wants the next request to weigh in bytes, as it stands in its details. */
export interface WishedWeight {
  /** By folding outputs. */
  readonly foldToBytes?: number;
  /** By shortening what was said before, too: then the model reads the summary. */
  readonly dialogueToBytes?: number;
}

/** Undefined where it wants nothing, or belongs to another extension. */
export function wishedWeightOf({ details }: CompactionEntry): WishedWeight | undefined {
  if (!isOwn(details)) return undefined;
  const { foldToBytes, dialogueToBytes } = details as Readonly<Record<keyof WishedWeight, unknown>>;
  if (!isAmount(foldToBytes)) return undefined;
  return { foldToBytes, ...(isAmount(dialogueToBytes) ? { dialogueToBytes } : {}) };
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The custom type of what a compaction tells the model: it stands in no message of Pi. */
export const toldType = "cm-compact";

/**
 * What the user said with `/compact` is no message, but the model has to know it; and the summary of what is shortened.
 */
function toldItem(entry: CompactionEntry): readonly BranchItem[] {
  const { id, details, timestamp, summary } = entry;
  if (!isOwn(details)) return [];
  const told = [
    ...(wishedWeightOf(entry)?.dialogueToBytes === undefined ? [] : [toldSummary(withoutKept(summary))]),
    ...("instructions" in details && typeof details.instructions === "string"
      ? [`The user compacted this session and asked to keep in mind: ${details.instructions}`]
      : []),
  ];
  if (told.length === 0) return [];
  const message = { role: "custom", customType: toldType, content: told.join("\n\n"), display: false } as const;
  return [{ kind: "said", entry: id, message: { ...message, timestamp: Date.parse(timestamp) } }];
}

const toldSummary = (summary: string): string =>
  "The user compacted this session: what was said before this point may stand shortened, the oldest first. This sums it " +
  `up:\n\n<summary>\n${summary}\n</summary>`;

type CompactionEntry = Extract<SessionEntry, { type: "compaction" }>;

function messageItem(entry: string, message: PiMessage): readonly BranchItem[] {
  switch (message.role) {
    case "assistant":
      // Pi sends no answer that broke off, so it is no step either.
      return isBrokenOff(message) ? [] : [{ kind: "answer", entry, message: withContent(message) }];
    case "toolResult":
      return [{ kind: "result", entry, message: withContent(message) }];
    case "user":
    case "custom":
      return [{ kind: "said", entry, message: withContent(message) }];
    case "branchSummary":
    case "compactionSummary":
      return [{ kind: "said", entry, message }];
    case "bashExecution":
      return message.excludeFromContext === true ? [] : [{ kind: "said", entry, message }];
    default:
      return [];
  }
}

/** Programs without types and older files leave it out, which Pi takes for nothing said. */
const withContent = <Message extends { readonly content: unknown }>(message: Message): Message =>
  (message.content ?? undefined) === undefined ? { ...message, content: [] } : message;

const isBrokenOff = ({ stopReason }: { readonly stopReason: string }): boolean =>
  stopReason === "error" || stopReason === "aborted";

function isOwn(details: unknown): details is object {
  return typeof details === "object" && details !== null && "cm" in details && details.cm === ownDetails.cm;
}
