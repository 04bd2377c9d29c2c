import type { NullReason } from "../documents/content-objects.ts";
import type { SourceBinding } from "../documents/source-binding.ts";

/** What a client last knew of a binding. `hint` is the source's own (a stat, an ETag) and means nothing to others. */
export interface KnownState {
  readonly sourceHash?: string;
  readonly hint?: string;
  /** It was confirmed gone: a source need not confirm that again. */
  readonly absent?: true;
}

export interface ObserveRequest<B extends SourceBinding = SourceBinding> {
  readonly binding: B;
  readonly known?: KnownState;
  /** `existence`: only whether it is there. Nothing is read, and `exists` is the answer. Default `content`. */
  readonly want?: "content" | "existence";
}

export interface ReadLimits {
  readonly contentBytesMax: number;
  readonly deadlineMs: number;
}

/**
 * What a source says about a binding now. `absent` is confirmed gone; `unreachable` means unknown, and has no
 * consequence for what is stored (SSOT 3.6). They are never mixed up.
 */
export type Observation =
  | {
      readonly kind: "present";
      readonly sourceHash: string;
      /**
       * The whole text, or why there is none. `digest`: its SHA-256 as UTF-8, where the source has hashed it already.
       */
      readonly content:
        | { readonly text: string; readonly digest?: string }
        | { readonly withheld: Exclude<NullReason, "deleted"> };
      /**
       * No source looked: a tool of the agent's said it, for a place that no source can look into. Only so may the text
       * be `unread`: it was changed since, and was not read whole.
       */
      readonly from?: "tool";
      readonly redactions?: number;
      readonly state: KnownState;
    }
  | { readonly kind: "unchanged"; readonly state: KnownState }
  /** There, and not read: the answer to `want: "existence"`. */
  | { readonly kind: "exists" }
  | { readonly kind: "absent" }
  /** `reason`: a few words for people, without content; the same words for the same reason. */
  | { readonly kind: "unreachable"; readonly reason: string };

/**
 * How far one client follows a binding (SSOT 5.9). `unchecked`: not observed yet. `attached`: changes are hinted.
 * `orphaned`: not watched; the newest version is the last known state. `resumed`: attached again after that.
 */
export type TrackingState = "unchecked" | "attached" | "orphaned" | "resumed";

export interface Tracked<B extends SourceBinding = SourceBinding> {
  readonly binding: B;
  readonly state: TrackingState;
  /** Why it is orphaned, in the words of `unreachable`. */
  readonly reason?: string;
}

/** The client's own: its states are never written into objects. */
export interface Tracker<B extends SourceBinding = SourceBinding> {
  /** Follows these, too; following one twice changes nothing. Resolves when changes from now on are hinted. */
  follow(bindings: readonly B[]): Promise<void>;
  /** Everything that was followed, in the order in which it was. */
  states(): readonly Tracked<B>[];
  /** Resolves when every change before the call has been hinted. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A working copy under version control that a source's things lie in, as it is now. */
export interface Checkout {
  /** As in the bindings: whose paths these are. */
  readonly namespace: string;
  /** The canonical path of the working copy. */
  readonly root: string;
  /** What all working copies of one repository share. */
  readonly repository: string;
  /** Absent where there is none yet, or it cannot be told. */
  readonly commit?: string | undefined;
  /** Absent where no branch is checked out. */
  readonly branch?: string | undefined;
}

/**
 * "source/1": a kind of external thing that objects are bound to (SSOT 5.5). Promises: `observe` answers every request
 * in order within the deadline, reads at most the bound, and hashes raw bytes, never decoded text. A tracker's hint
 * says "look again", never what is there, so that a tracker can be late but not wrong.
 */
export interface Source<B extends SourceBinding = SourceBinding> {
  readonly contract: "source/1";
  readonly type: B["type"];
  /** @throws CmError `model/invalid-source` */
  parseBinding(value: unknown): B;
  /**
   * `display` is the path as the agent sees it (SSOT 5.3). `own`: the binding is another client's, and this one looks
   * for it at a place that it names by another binding. What is there is another thing (SSOT 2.4), and is stored as
   * that.
   */
  describe(binding: B): {
    readonly namespace: string;
    readonly path: string;
    readonly display: string;
    readonly own?: B;
  };
  observe(
    requests: readonly ObserveRequest<B>[],
    limits: ReadLimits,
    signal?: AbortSignal,
  ): Promise<readonly Observation[]>;
  track?(onHint: (binding: B) => void): Tracker<B>;
  /**
   * The working copies that its things lie in, so that a session can tell that it was resumed in another state of them.
   * Throws where the state is unknown now: that is not the same as none.
   */
  checkouts?(): Promise<readonly Checkout[]>;
  /** Gives back threads and connections; after it, every answer is `unreachable`. */
  close?(): Promise<void>;
}
