import type { PiMessage } from "../pi/pi-types.ts";
import { figureLimits } from "./limits.ts";
import { type MessageSize, sizeOf, sizeOfText } from "./message-size.ts";

interface Part {
  readonly entry: string;
  readonly role: PiMessage["role"];
  readonly size: MessageSize;
  /** Files that its calls name, which Pi lists behind a summary. */
  readonly files: readonly string[];
}

/** What a compaction of Pi's asks a model for. */
export interface SummaryRequest {
  /** Characters of the conversation that it hands over, with its own words. */
  readonly chars: number;
  /** Characters of the answers. */
  readonly answerChars: number;
}

/** How long the summaries of a model are, in characters. */
export interface SummarySizes {
  /** Of what lies behind. */
  readonly history: number;
  /** Of the start of a turn whose rest is kept. */
  readonly turn: number;
}

/** What stands in the context of a Pi without us: the messages since its last compaction, and that one's summary. */
export class PlainLog {
  #parts: Part[] = [];
  #sizes = new Map<string, number>();
  #summaryChars = 0;
  #chars = 0;
  /** Of all that was summarized. */
  readonly #files = new Set<string>();

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
    this.#parts.push({ entry, role: message.role, size, files: filesOf(message) });
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
  compact(keepRecentTokens: number, { history, turn }: SummarySizes): SummaryRequest | undefined {
    const cut = this.#cut(keepRecentTokens);
    const left = this.#parts.slice(0, cut);
    if (left.length === 0) return undefined;
    // Where a turn is cut in two, its start has a summary of its own.
    const turnStart = startsTurn(this.#parts[cut]) ? -1 : left.findLastIndex(startsTurn);
    const isSplit = turnStart !== -1;
    const hasHistory = !isSplit || turnStart > 0;
    const answerChars = (hasHistory ? history : 0) + (isSplit ? turn : 0);
    const chars = left.reduce((sum, { size }) => sum + size.summarized, this.#summaryChars);
    const before = hasHistory ? 0 : this.#summaryChars;
    this.#leave(left);
    this.#begin(this.#parts.slice(cut), before + answerChars + this.#fileChars());
    return { chars: chars + figureLimits.summaryPromptChars * (hasHistory && isSplit ? 2 : 1), answerChars };
  }

  /** A message that an earlier compaction left, of which only the names of files are needed. */
  addSummarized(message: PiMessage): void {
    for (const file of filesOf(message)) this.#files.add(file);
  }

  /** A compaction whose outcome is known: it keeps what begins with that entry. */
  keepFrom(entry: string, summaryChars: number): void {
    const found = this.#parts.findIndex((part) => part.entry === entry);
    const at = found === -1 ? this.#parts.length : found;
    this.#leave(this.#parts.slice(0, at));
    this.#begin(this.#parts.slice(at), summaryChars);
  }

  #leave(parts: readonly Part[]): void {
    for (const { files } of parts) for (const file of files) this.#files.add(file);
  }

  #fileChars(): number {
    return [...this.#files].reduce((sum, file) => sum + file.length + 2, 0);
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

const startsTurn = (part: Part | undefined): boolean =>
  part !== undefined && part.role !== "assistant" && part.role !== "toolResult";

const fileTools = new Set(["read", "edit", "write"]);

function filesOf(message: PiMessage): readonly string[] {
  if (message.role !== "assistant") return [];
  return (message.content ?? []).flatMap((block) => {
    const path: unknown = block.type === "toolCall" && fileTools.has(block.name) ? block.arguments?.path : undefined;
    return typeof path === "string" ? [path] : [];
  });
}
