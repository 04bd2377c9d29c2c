import type { ExtensionChanges } from "../others/extension-changes.ts";
import type { PiMessage, SessionEntry } from "../pi/pi-types.ts";
import { CountedSession, type CountedSide } from "./counted-session.ts";
import type { Figures } from "./figures.ts";
import { figuresType, newestKept } from "./kept-figures.ts";
import { sizeOf } from "./message-size.ts";
import type { SentRequest } from "./plain-tokens.ts";

/** What the figures ask of Pi. */
export interface FiguresSide extends CountedSide {
  branch(): readonly SessionEntry[];
  /** Appends an entry that never reaches the model. */
  append(type: string, data: object): void;
}

/**
 * The figures of the branch that Pi stands on. They are made of Pi's own entries and of what each request weighed when
 * it was sent, and need no database. Never throws.
 */
export class SessionFigures {
  readonly #side: FiguresSide;
  readonly #measure: FiguresSide["head"];
  #head = { chars: 0, ownChars: 0 };
  #counted: CountedSession;
  #done = 0;
  #last: string | undefined;
  #sent: SentRequest | undefined;
  /** Sizes of the newest request's messages. */
  #sizes: readonly number[] = [];
  #keptRequests = 0;

  constructor(side: FiguresSide) {
    // Measured once for each request, and known when Pi's session is over.
    this.#side = { ...side, head: () => this.#head };
    this.#measure = () => side.head();
    this.#counted = new CountedSession(this.#side);
  }

  /** Undefined before the first answer. */
  now(): Figures | undefined {
    this.#follow();
    const { requests, context, bill } = this.#counted;
    if (requests === 0) return undefined;
    const { ours, plain, unpriced } = bill;
    const isPriced = unpriced === 0;
    return {
      ...{ contextTokens: context.ours, plainTokens: context.plain, isReported: context.reported, requests },
      input: isPriced ? { ours: ours.input, plain: plain.input } : { ours: ours.tokens, plain: plain.tokens },
      dollars: isPriced ? { ours: ours.all, plain: plain.all } : undefined,
    };
  }

  /** A request goes out. @param work what other extensions made of the branch, for any Pi */
  asked(work: ExtensionChanges, messages: readonly PiMessage[]): void {
    this.#follow();
    this.#sent = undefined;
    try {
      this.#weigh(work, messages);
    } catch {
      // Then the request is estimated.
    }
  }

  #weigh({ changed, inserted }: ExtensionChanges, messages: readonly PiMessage[]): void {
    const sizes = messages.map((message) => sizeOf(message).sent);
    this.#look();
    const differences = [...changed].map(([entry, message]) => this.#counted.difference(entry, message));
    const added = inserted.map(({ message }) => sizeOf(message).sent);
    const common = commonStart(sizes, this.#sizes);
    this.#sent = {
      headChars: this.#head.chars,
      chars: total(sizes),
      commonChars: total(common),
      isAppended: this.#sizes.length > 0 && common.length === this.#sizes.length,
      othersChars: total(differences) + total(added),
    };
    this.#sizes = sizes;
  }

  /** Writes the figures on Pi's branch, so that they go on when the session is resumed. */
  keep(): void {
    this.#follow();
    const { requests } = this.#counted;
    if (requests <= this.#keptRequests) return;
    this.#keptRequests = requests;
    try {
      this.#side.append(figuresType, this.#counted.kept());
    } catch {
      // What is not kept is counted again from the branch.
    }
  }

  #follow(): void {
    let entries: readonly SessionEntry[];
    try {
      entries = this.#side.branch();
    } catch {
      return;
    }
    if (this.#done === 0 || entries[this.#done - 1]?.id !== this.#last) this.#begin(entries);
    for (const entry of entries.slice(this.#done)) {
      const isAnswer = entry.type === "message" && entry.message.role === "assistant";
      try {
        this.#counted.add(entry, isAnswer ? this.#sent : undefined);
      } catch {
        // An unreadable entry counts nothing: figures never block a session.
      }
      if (isAnswer) this.#sent = undefined;
    }
    this.#done = entries.length;
    this.#last = entries.at(-1)?.id;
  }

  #begin(entries: readonly SessionEntry[]): void {
    this.#look();
    const newest = newestKept(entries);
    const known = newest && { kept: newest.kept, entries: entries.slice(0, newest.place) };
    this.#counted = new CountedSession(this.#side, known);
    this.#keptRequests = newest?.kept.requests ?? 0;
    this.#done = newest === undefined ? 0 : newest.place + 1;
  }

  #look(): void {
    try {
      this.#head = this.#measure();
    } catch {
      // The head is as it was.
    }
  }
}

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** Messages of one size are taken for the same. */
function commonStart(sizes: readonly number[], before: readonly number[]): readonly number[] {
  const end = sizes.findIndex((size, place) => size !== before[place]);
  return end === -1 ? sizes : sizes.slice(0, end);
}
