import type { BranchItem } from "../branch/branch-item.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** A message that stands on no branch. */
export interface InsertedMessage {
  /** Behind which item of the branch; -1 before all of them. */
  readonly after: number;
  readonly message: PiMessage;
}

/** Messages that may stand before one that is looked for, before all of them are put in order by what they answer. */
const aheadMax = 8;

export interface Pairs {
  /**
   * Of each item the place of its message; `hidden` for what Pi itself does not show. Undefined: its message is gone.
   */
  readonly partners: readonly (number | "hidden" | undefined)[];
  /** Prompts and notes that belong to no item. */
  readonly inserted: readonly InsertedMessage[];
}

/**
 * Which message of a request is which item of the branch. Mostly they stand side by side. What was moved is found by
 * what it answers or when it was said; what has lost that, between its neighbours.
 */
export function pairedMessages(
  messages: readonly PiMessage[],
  items: readonly BranchItem[],
  shows: (item: BranchItem, place: number) => boolean,
): Pairs {
  const partners: (number | "hidden" | undefined)[] = new Array(items.length).fill(undefined);
  const itemOf: (number | undefined)[] = new Array(messages.length).fill(undefined);
  const left: number[] = [];
  let next = 0;
  for (let place = 0; place < items.length; place += 1) {
    const item = items[place];
    if (item === undefined) continue;
    if (!shows(item, place)) {
      partners[place] = "hidden";
      continue;
    }
    const found = left.length > 0 ? -1 : ahead(messages, next, item.message);
    if (found === -1) left.push(place);
    else {
      partners[place] = found;
      itemOf[found] = place;
      next = found + 1;
    }
  }
  if (left.length > 0) pairMoved(messages, items, { left, partners, itemOf });
  return { partners, inserted: insertedIn(messages, itemOf) };
}

function ahead(messages: readonly PiMessage[], from: number, sought: PiMessage): number {
  const end = Math.min(messages.length, from + aheadMax);
  for (let place = from; place < end; place += 1) {
    const message = messages[place];
    if (message !== undefined && isSame(message, sought)) return place;
  }
  return -1;
}

/** Some models give calls the same ids in every answer: of results that were not built anew, the time counts, too. */
function isSame(one: PiMessage, other: PiMessage): boolean {
  if (one.role !== other.role || one.timestamp !== other.timestamp) return false;
  return one.role !== "toolResult" || other.role !== "toolResult" || one.toolCallId === other.toolCallId;
}

const keyOf = (message: PiMessage): string => `${answersOf(message)} ${message.timestamp}`;

const answersOf = (message: PiMessage): string =>
  message.role === "toolResult" ? `toolResult ${message.toolCallId}` : message.role;

interface Pairing {
  /** Items without a message, ascending. */
  readonly left: readonly number[];
  readonly partners: (number | "hidden" | undefined)[];
  readonly itemOf: (number | undefined)[];
}

function pairMoved(messages: readonly PiMessage[], items: readonly BranchItem[], pairing: Pairing): void {
  const { left, partners, itemOf } = pairing;
  const pair = (item: number, message: number): void => {
    partners[item] = message;
    itemOf[message] = item;
  };
  const pairBy = (key: (message: PiMessage) => string | undefined): void => {
    const open = [...messages.entries()].filter(([place]) => itemOf[place] === undefined);
    const byKey = Map.groupBy(open, ([, message]) => key(message));
    for (const place of left) {
      const item = partners[place] === undefined ? items[place] : undefined;
      const sought = item && key(item.message);
      const [found] = (sought && byKey.get(sought)?.shift()) || [];
      if (found !== undefined) pair(place, found);
    }
  };
  pairBy(keyOf);
  pairBy((message) => (message.role === "toolResult" ? answersOf(message) : undefined));
  for (const run of runsOf(left.filter((place) => partners[place] === undefined))) {
    const [first = 0] = run;
    const before = partners[first - 1];
    const from = typeof before === "number" ? before + 1 : 0;
    const next = partners[first + run.length];
    const isEven = (typeof next === "number" ? next : messages.length) === from + run.length;
    const isOpen = run.every((place, step) => {
      const [item, message] = [items[place], messages[from + step]];
      return item !== undefined && message !== undefined && itemOf[from + step] === undefined && isLike(item, message);
    });
    if (isEven && isOpen) for (const [step, place] of run.entries()) pair(place, from + step);
  }
}

/** Numbers that follow each other, together. */
function runsOf(places: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === place - 1) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

const spoken: ReadonlySet<string> = new Set([
  "user",
  "custom",
  "bashExecution",
  "branchSummary",
  "compactionSummary",
] satisfies PiMessage["role"][]);

/** Of messages that were built anew. */
function isLike({ kind, message }: BranchItem, other: PiMessage): boolean {
  if (kind === "said") return spoken.has(other.role);
  if (kind === "result" || other.role !== "assistant" || message.role !== "assistant") return false;
  const ids = (content: unknown): string =>
    Array.isArray(content)
      ? content
          .map((block) => (block?.type === "toolCall" ? block.id : ""))
          .join(" ")
          .trim()
      : "";
  return ids(message.content) === ids(other.content);
}

const insertable: ReadonlySet<string> = new Set(["user", "custom", "system"]);

function insertedIn(
  messages: readonly PiMessage[],
  itemOf: readonly (number | undefined)[],
): readonly InsertedMessage[] {
  const inserted: InsertedMessage[] = [];
  let after = -1;
  for (const [place, message] of messages.entries()) {
    const item = itemOf[place];
    if (item !== undefined) after = item;
    else if (insertable.has(message.role)) inserted.push({ after, message });
  }
  return inserted;
}
