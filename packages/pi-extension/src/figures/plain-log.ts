import type { PiMessage } from "../pi/pi-types.ts";
import { figureLimits } from "./limits.ts";
import { type MessageSize, sizeOf } from "./message-size.ts";
import { namedFiles } from "./named-files.ts";

interface Part {
  readonly entry: string;
  readonly role: PiMessage["role"];
  readonly size: MessageSize;
  /** Files that its calls name, which Pi lists behind a summary. */
  readonly files: readonly string[];
  tokens: number;
}

/** What a compaction of Pi's asks a model for, in tokens. */
export interface SummaryRequest {
  readonly input: number;
  readonly output: number;
}

/** How long the summaries of a model are, in characters. */
export interface SummarySizes {
  /** Of what lies behind. */
  readonly history: number;
  /** Of the start of a turn whose rest is kept. */
  readonly turn: number;
  /** All of it, with the names of files: where it was written. */
  readonly whole?: number;
}

/** What stands in the context of a Pi without us: the messages since its last compaction, and that one's summary. */
export class PlainLog {
  #parts: Part[] = [];
  /** How many at the end no request had yet. */
  #fresh = 0;
  #summaryTokens = 0;
  /** Of all that was summarized. */
  readonly #files = new Set<string>();
  #charsPerToken: number = figureLimits.charsPerToken;

  /** Tokens of the messages. */
  get partTokens(): number {
    return this.#parts.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  get summaryTokens(): number {
    return this.#summaryTokens;
  }

  /** The characters per token where no count exists. */
  get charsPerToken(): number {
    return this.#charsPerToken;
  }

  set charsPerToken(ratio: number) {
    this.#charsPerToken = ratio;
  }

  /** Characters of the messages. */
  get chars(): number {
    return this.#parts.reduce((sum, { size }) => sum + size.sent, 0);
  }

  /** Characters of those that no request had yet. */
  get freshChars(): number {
    return this.#freshParts().reduce((sum, { size }) => sum + size.sent, 0);
  }

  /** The entry of the oldest message; undefined where there is none. */
  get first(): string | undefined {
    return this.#parts[0]?.entry;
  }

  add(entry: string, message: PiMessage): void {
    const size = sizeOf(message);
    if (size.sent === 0) return;
    const tokens = size.sent / this.#charsPerToken;
    this.#parts.push({ entry, role: message.role, size, files: namedFiles(message), tokens });
    this.#fresh += 1;
  }

  /** A message that an earlier compaction left, of which only the names of files are needed. */
  addSummarized(message: PiMessage): void {
    for (const file of namedFiles(message)) this.#files.add(file);
  }

  /** A request had them all. @param tokens of those that were new in it, where the provider counted them */
  requested(tokens?: number): void {
    if (tokens !== undefined) {
      const chars = this.freshChars;
      for (const part of this.#freshParts()) part.tokens = (tokens * part.size.sent) / chars;
    }
    this.#fresh = 0;
  }

  /** All messages together have so many tokens. */
  countAs(tokens: number): void {
    const { chars } = this;
    for (const part of this.#parts) part.tokens = (tokens * part.size.sent) / chars;
  }

  /** Another model counts otherwise. */
  scale(factor: number): void {
    for (const part of this.#parts) part.tokens *= factor;
    this.#summaryTokens *= factor;
    this.#charsPerToken /= factor;
  }

  /** By how many characters a request differs in which a message is another one; null: it is left out. */
  difference(entry: string, message: PiMessage | null): number {
    const before = this.#parts.findLast((part) => part.entry === entry);
    return before === undefined ? 0 : (message === null ? 0 : sizeOf(message).sent) - before.size.sent;
  }

  /** Tokens of tool outputs behind the newest answer, as Pi estimates them. */
  outputTokens(): number {
    const from = this.#parts.findLastIndex(({ role }) => role === "assistant") + 1;
    const outputs = this.#parts.slice(from).filter(({ role }) => role === "toolResult");
    return outputs.reduce((sum, part) => sum + estimated(part), 0);
  }

  /** Compacts as Pi does. Undefined where there is nothing before what it keeps. */
  compact(keepRecentTokens: number, { history, turn, whole }: SummarySizes): SummaryRequest | undefined {
    const cut = this.#cut(keepRecentTokens);
    const left = this.#parts.slice(0, cut);
    if (left.length === 0) return undefined;
    // Where a turn is cut in two, its start has a summary of its own.
    const turnStart = startsTurn(this.#parts[cut]) ? -1 : left.findLastIndex(startsTurn);
    const isSplit = turnStart !== -1;
    const hasHistory = !isSplit || turnStart > 0;
    const output = ((hasHistory ? history : 0) + (isSplit ? turn : 0)) / this.#charsPerToken;
    const words = figureLimits.summaryPromptChars * (hasHistory && isSplit ? 2 : 1);
    const chars = left.reduce((sum, { size }) => sum + size.summarized, words);
    const input = chars / this.#charsPerToken + this.#summaryTokens;
    const before = hasHistory ? 0 : this.#summaryTokens;
    this.#leave(cut);
    const lists = this.#fileChars() / this.#charsPerToken;
    this.#summaryTokens = whole === undefined ? before + output + lists : whole / this.#charsPerToken;
    return { input, output };
  }

  /** A compaction whose outcome is known: it keeps what begins with that entry. */
  keepFrom(entry: string, summaryTokens: number): void {
    const found = this.#parts.findIndex((part) => part.entry === entry);
    this.#leave(found === -1 ? this.#parts.length : found);
    this.#summaryTokens = summaryTokens;
  }

  #freshParts(): readonly Part[] {
    return this.#parts.slice(this.#parts.length - this.#fresh);
  }

  #leave(cut: number): void {
    for (const { files } of this.#parts.slice(0, cut)) for (const file of files) this.#files.add(file);
    this.#parts = this.#parts.slice(cut);
    this.#fresh = Math.min(this.#fresh, this.#parts.length);
  }

  #fileChars(): number {
    return [...this.#files].reduce((sum, file) => sum + file.length + 2, 0);
  }

  /** Where what is kept begins: never at a tool's output, whose call would be missing. */
  #cut(keepRecentTokens: number): number {
    let tokens = 0;
    for (let at = this.#parts.length - 1; at >= 0; at -= 1) {
      const part = this.#parts[at];
      if (part === undefined) continue;
      tokens += estimated(part);
      if (tokens < keepRecentTokens) continue;
      const after = this.#parts.findIndex((each, place) => place >= at && each.role !== "toolResult");
      return after === -1 ? this.#parts.findLastIndex(({ role }) => role !== "toolResult") : after;
    }
    return 0;
  }
}

/** Pi's estimate is at 4 characters a token, whatever the provider counts. */
const estimated = ({ size }: Part): number => Math.ceil(size.estimated / 4);

const startsTurn = (part: Part | undefined): boolean =>
  part !== undefined && part.role !== "assistant" && part.role !== "toolResult";
