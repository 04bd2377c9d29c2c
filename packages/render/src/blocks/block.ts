import type { JsonObject, Textless } from "@cm/object-model";

/** What a prompt is made of, read back or to be written. Texts are unescaped, fields unquoted. */
export type Block = SystemBlock | PoolBlock | MessageBlock;

export interface SystemBlock {
  readonly kind: "system";
  readonly text: string;
}

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
  /** Left out where the call beside the line names it. */
  readonly path?: string;
  /** These two where the pool stands for itself (SSOT 4.1); not where a line only says that a file is there. */
  readonly fileType?: string;
  readonly charCount?: number;
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
  | UserBlock
  | AssistantBlock
  | ActiveBlock
  | ResultBlock
  | ReferenceBlock
  | ResumedBlock
  | ReleasedBlock;

/** What stands behind `text` where only the start and the end of it stand. */
export interface Cut {
  /** Characters left out between them. */
  readonly chars: number;
  /** Attachments that are left out with them. */
  readonly attachments?: number;
  /** The object that has all of it. */
  readonly id?: string;
  readonly tail: string;
}

export interface UserBlock {
  readonly kind: "user";
  readonly text: string;
  readonly cut?: Cut;
}

export interface AssistantBlock {
  readonly kind: "assistant";
  readonly text: string;
  readonly cut?: Cut;
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
}

/** An object's text: in SSOT section 4, or recalled at the tail of a log. Without text only its header stands. */
export interface ActiveBlock {
  readonly kind: "active";
  readonly id: string;
  readonly state?: Textless | "folded";
  readonly text: string | null;
  readonly cut?: Cut;
}

/** A tool's output, whole or with fewer line numbers. */
export interface ResultBlock {
  readonly kind: "result";
  readonly callId: string;
  /** The name of the call's object. */
  readonly id?: string;
  /** Files that came into the session with this call. */
  readonly brought?: readonly PoolBlock[];
  readonly text: string;
  readonly cut?: Cut;
}

/** A line that stands in place of a tool's output, and for a diff the lines that changed. */
export interface ReferenceBlock {
  readonly kind: "reference";
  readonly callId: string;
  readonly id: string;
  /** Only where the call beside it says nothing of it, as under `ssot`. */
  readonly tool?: string;
  readonly status?: "ok" | "fail";
  /** Names of the files that came into the session with this call. */
  readonly files?: string;
  /** Length of the folded text. */
  readonly chars?: number;
  /** The object that shows the same text. */
  readonly sameAs?: string;
  /** The object against which `diff` stands. */
  readonly diffFrom?: string;
  readonly diff?: string;
  /** Names of the folded text that stand nowhere else in view (design 7.5). */
  readonly names?: readonly string[];
  /** Lines of the folded text that hold such names: what they mean, not only how they are spelled. */
  readonly lines?: readonly string[];
  readonly state?: Textless;
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
  readonly files: readonly ResumedFile[];
  readonly unreachable: readonly { readonly id: string; readonly path: string; readonly reason: string }[];
  /** Files that the budget left out; the list tool shows them. */
  readonly omitted?: number;
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

export interface CheckoutFields {
  readonly root: string;
  readonly commit?: string;
  readonly branch?: string;
}
