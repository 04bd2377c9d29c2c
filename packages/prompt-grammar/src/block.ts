import type { Textless } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import type { CheckoutFields, Notice } from "./notice.ts";

/** What a prompt is made of, read back or to be written. Texts are unescaped, fields unquoted. */
export type Block = { readonly kind: "system"; readonly text: string } | PoolBlock | MessageBlock;

/** One line of the metadata pool (SSOT 4.1). */
export type PoolBlock = PoolObjectBlock | PoolMoreBlock;

export type PoolObjectBlock = PoolFileBlock | PoolToolcallBlock;

interface PoolLine {
  readonly id: string;
  readonly redactions?: number;
  readonly textless?: Textless;
}

export interface PoolFileBlock extends PoolLine {
  readonly kind: "pool-file";
  readonly path: string;
  readonly fileType: string;
  readonly charCount: number;
}

export interface PoolToolcallBlock extends PoolLine {
  readonly kind: "pool-toolcall";
  readonly tool: string;
  readonly status: "ok" | "fail";
}

/** Objects that the pool's budget left without a line of their own. */
export interface PoolMoreBlock {
  readonly kind: "pool-more";
  readonly count: number;
  /** The folder that they lie in or below; absent for objects without a path, or all over. */
  readonly below?: string;
}

/** A block that fills a message of its own. */
export type MessageBlock =
  | NoticeBlock
  | { readonly kind: "user"; readonly text: string }
  | {
      readonly kind: "assistant";
      readonly text: string;
      readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
    }
  | ActiveBlock
  /** A tool's output. */
  | { readonly kind: "result"; readonly callId: string; readonly text: string }
  | ReferenceBlock
  | ResumedBlock
  | ReleasedBlock;

/** A line of ours under layout `log`, with the foreign text below it. */
export interface NoticeBlock {
  readonly kind: "notice";
  /** The call in whose result it stands; absent in words that were said. */
  readonly callId?: string;
  readonly notice: Notice;
  readonly text?: string;
}

/** An object's text in SSOT section 4. Without text only its header stands. */
export interface ActiveBlock {
  readonly kind: "active";
  readonly id: string;
  readonly state?: Textless;
  readonly text: string | null;
}

/** The line in place of a tool's output under `ssot`. */
export interface ReferenceBlock {
  readonly kind: "reference";
  readonly callId: string;
  readonly id: string;
  readonly tool: string;
  readonly status: "ok" | "fail";
}

/** Pins that a window forced out. */
export interface ReleasedBlock {
  readonly kind: "released";
  readonly ids: readonly string[];
  /** Pins that are not named; the list tool shows what is pinned. */
  readonly omitted?: number;
}

/** What changed since the agent last looked, told once when a session is resumed (SSOT 3.6). */
export interface ResumedBlock {
  readonly kind: "resumed";
  readonly checkouts: readonly ResumedCheckout[];
  /** What is found under another path than before; absent for nothing. */
  readonly paths?: readonly ResumedPath[];
  /** Paths that the budget left out. */
  readonly pathsOmitted?: number;
  readonly files: readonly ResumedFile[];
  readonly unreachable: readonly { readonly id: string; readonly path: string; readonly reason: string }[];
  /** Files that the budget left out; the list tool shows them. */
  readonly omitted?: number;
}

/** A folder, or with `id` a file. */
export interface ResumedPath {
  readonly was: string;
  readonly now: string;
  readonly id?: string;
}

export interface ResumedFile {
  readonly id: string;
  readonly path: string;
  readonly state?: Textless;
  /** Lines that came and went, where both texts could be compared. */
  readonly added?: number;
  readonly removed?: number;
  /** Whole hunks, as many as the budget allows. */
  readonly diff?: string;
  readonly hunksOmitted?: number;
}

/** One side is missing where there was no working copy then, or is none now. */
export interface ResumedCheckout {
  readonly was?: CheckoutFields;
  readonly now?: CheckoutFields;
}
