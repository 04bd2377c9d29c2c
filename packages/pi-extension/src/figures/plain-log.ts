import type { PiMessage } from "../pi/pi-types.ts";
import { figureLimits } from "./limits.ts";
import { type MessageSize, sizeOf, sizeOfText } from "./message-size.ts";

interface Part {
  readonly entry: string;
  readonly role: PiMessage["role"];
  readonly size: MessageSize;
}

/** What a compaction of Pi's asks a model for. */
export interface SummaryRequest {
  /** Characters of the conversation that it hands over, with its own words. */
  readonly chars: number;
  /** Characters of the answer. */
  readonly answerChars: number;
}

/** What stands in the context of a Pi without us: the messages since its last compaction, and that one's summary. */
export class PlainLog {
  #parts: Part[] = [];
  #sizes = new Map<string, number>();
  #summaryChars = 0;
  #chars = 0;

  /** Characters in a request, without system prompt and tools. */
  get chars(): number {
    return this.#chars + (this.#summaryChars === 0 ? 0 : sizeOfText("") + this.#summaryChars);
  }

  get summaryChars(): number {
    return this.#summaryChars;
  }

  /** The entry of the oldest message; undefined where there is none. */
  get first(): string | undefined {
    return this.#parts[0]?.entry;
  }

  add(entry: string, message: PiMessage): void {
    const size = sizeOf(message);
    if (size.sent === 0) return;
    this.#parts.push({ entry, role: message.role, size });
    this.#sizes.set(entry, size.sent);
    this.#chars += size.sent;
  }

  /** By how many characters a request differs in which a message is another one; null: it is left out. */
  difference(entry: string, message: PiMessage | null): number {
    const before = this.#sizes.get(entry);
    return before === undefined ? 0 : (message === null ? 0 : sizeOf(message).sent) - before;
  }

  /** Tokens of tool outputs behind the newest answer, as Pi estimates them. */
  outputTokens(): number {
    let tokens = 0;
    for (let at = this.#parts.length - 1; at >= 0; at -= 1) {
      const part = this.#parts[at];
      if (part === undefined || part.role === "assistant") break;
      if (part.role === "toolResult") tokens += tokensOf(part);
    }
    return tokens;
  }

  /** Compacts as Pi does. Undefined where there is nothing before what it keeps. */
  compact(keepRecentTokens: number, answerChars: number): SummaryRequest | undefined {
    const cut = this.#cut(keepRecentTokens);
    const left = this.#parts.slice(0, cut);
    if (left.length === 0) return undefined;
    const chars = left.reduce((sum, { size }) => sum + size.summarized, this.#summaryChars);
    this.#begin(this.#parts.slice(cut), answerChars);
    return { chars: chars + figureLimits.summaryPromptChars, answerChars };
  }

  /** A compaction whose outcome is known: it keeps what begins with that entry. */
  keepFrom(entry: string, summaryChars: number): void {
    const at = this.#parts.findIndex((part) => part.entry === entry);
    this.#begin(at === -1 ? [] : this.#parts.slice(at), summaryChars);
  }

  #begin(parts: readonly Part[], summaryChars: number): void {
    this.#parts = [...parts];
    this.#sizes = new Map(parts.map(({ entry, size }) => [entry, size.sent]));
    this.#chars = parts.reduce((sum, { size }) => sum + size.sent, 0);
    this.#summaryChars = summaryChars;
  }

  /** Where what is kept begins: never at a tool's output, whose call would be missing. */
  #cut(keepRecentTokens: number): number {
    let tokens = 0;
    for (let at = this.#parts.length - 1; at >= 0; at -= 1) {
      const part = this.#parts[at];
      if (part === undefined) continue;
      tokens += tokensOf(part);
      if (tokens < keepRecentTokens) continue;
      const after = this.#parts.findIndex((each, place) => place >= at && each.role !== "toolResult");
      return after === -1 ? this.#parts.findLastIndex(({ role }) => role !== "toolResult") : after;
    }
    return 0;
  }
}

/** Pi's estimate is at 4 characters a token, whatever the provider counts. */
const tokensOf = ({ size }: Part): number => Math.ceil(size.estimated / 4);
