import type { Checkout, FilesystemBinding } from "@cm/object-model";
import type { PlacesOptions } from "../mounts/places.ts";
import type { IgnoreOptions } from "../rules/folder-rules.ts";
import type { Slot } from "../sweep/file-facts-cache.ts";

/** The start data of a reading thread. */
export interface ThreadData {
  readonly roots: readonly string[];
  readonly ignore: Omit<IgnoreOptions, "roots">;
  readonly places: PlacesOptions;
}

/** A file to scan whose facts the thread may not have. What is not so is left out: there may be thousands. */
export interface ScanItem {
  readonly path: string;
  readonly hint?: string | undefined;
  readonly sourceHash?: string | undefined;
  readonly existence?: boolean;
  /** It was missing before: if it is missing again, say what that means. */
  readonly confirm?: boolean;
  /** There is no later scan: a missing file counts as absent, even in a changing folder. */
  readonly last?: boolean;
}

/** `sweep`: slots and generations, in pairs. The answers stand at places: first the pairs, then the items. */
export interface ScanTask {
  readonly kind: "scan";
  readonly contentBytesMax: number;
  readonly sweep: Int32Array;
  readonly items: readonly ScanItem[];
}

export interface BindTask {
  readonly kind: "bind";
  readonly agentPaths: readonly string[];
}

/** The next batch of the listing of this id; `folder` starts it. */
export interface ListTask {
  readonly kind: "list";
  readonly listing: number;
  readonly folder?: string;
  /** The caller needs no further answers. */
  readonly end?: boolean;
}

/** Which work trees the roots lie in. */
export interface CheckoutsTask {
  readonly kind: "checkouts";
}

export type Task = ScanTask | BindTask | ListTask | CheckoutsTask;

/** `control[0]`: not 0 if the caller no longer waits. `control[1]`: the place that is worked on, plus one. */
export type Order = Task & { readonly id: number; readonly control: Int32Array };

/** `kept`: the slot for the next sweep. `same`: the state that was sent along still holds. */
export type Finding =
  | {
      readonly kind: "present";
      readonly sourceHash: string;
      /** Valid UTF-8, in one of the message's pieces. */
      readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
      readonly withheld?: "binary" | "too_large" | undefined;
      readonly hint: string;
      readonly kept?: Slot | undefined;
    }
  | { readonly kind: "same"; readonly kept?: Slot | undefined }
  /** The bytes hash to what was known. */
  | { readonly kind: "unchanged"; readonly hint: string; readonly kept?: Slot | undefined }
  /** `unknown`: the thread has other facts by now. Ask with path and hint. */
  | { readonly kind: "exists" | "missing" | "absent" | "unknown" }
  | { readonly kind: "unreachable"; readonly reason: string };

/** Everything before the place `doneTo` is answered; what has no finding is the same as the sweep knew it. */
export interface ScanReply {
  readonly doneTo: number;
  readonly findings: readonly { readonly place: number; readonly finding: Finding }[];
}

/** The next ones, in order. */
export interface BindReply {
  readonly bindings: readonly FilesystemBinding[];
}

/** `cut`: a bound ended the listing; `outside`: the folder is none that may be opened. */
export interface ListReply {
  readonly bindings: readonly FilesystemBinding[];
  readonly ended?: "whole" | "cut" | "outside";
}

export interface CheckoutsReply {
  readonly checkouts: readonly Checkout[];
}

export type Reply =
  | { readonly scan: ScanReply }
  | { readonly bind: BindReply }
  | { readonly list: ListReply }
  | { readonly checkouts: CheckoutsReply };

/** Pieces of memory that were sent along with a message, to be read into again. */
export interface ReturnedBuffers {
  readonly pieces: readonly ArrayBuffer[];
}

export interface Message {
  readonly id: number;
  /** The memory of all contents of the reply; its reader returns it. */
  readonly pieces: readonly ArrayBuffer[];
  readonly reply?: Reply;
  /** The task is over. */
  readonly done: boolean;
}
