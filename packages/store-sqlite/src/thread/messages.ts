import type {
  AsOf,
  Basis,
  CheckedCommit,
  CheckedFind,
  CommitReceipt,
  EraseReceipt,
  ErrorData,
  FindPage,
  HistoryPage,
  KnownState,
  Page,
  StoreCheck,
  StoredVersion,
  VersionName,
} from "@cm/object-model";
import type { PackedVersion } from "../packed-versions.ts";

/** Options of a store, without what cannot be sent to another thread. */
export interface ThreadOptions {
  readonly path: string;
  readonly synchronous?: "full" | "normal";
  readonly busyTimeoutMs?: number;
  readonly readOnly?: boolean;
}

/** The jobs of the thread, each with its input and its answer, as plain data. */
export interface Jobs {
  readonly open: { readonly given: ThreadOptions; readonly answer: { readonly path: string } };
  readonly read: {
    readonly given: { readonly ids: readonly string[]; readonly at: Basis | AsOf | undefined };
    readonly answer: ReadonlyMap<string, StoredVersion>;
  };
  /** `read` with the texts still packed. */
  readonly readPacked: { readonly given: Jobs["read"]["given"]; readonly answer: readonly PackedVersion[] };
  readonly commit: { readonly given: CheckedCommit; readonly answer: CommitReceipt };
  readonly history: { readonly given: { readonly id: string; readonly page: Page }; readonly answer: HistoryPage };
  readonly find: { readonly given: CheckedFind; readonly answer: FindPage };
  readonly erase: {
    readonly given: { readonly named: readonly (string | VersionName)[]; readonly reason: string };
    readonly answer: EraseReceipt;
  };
  readonly check: { readonly given: undefined; readonly answer: StoreCheck };
  readonly close: { readonly given: undefined; readonly answer: undefined };
  /** A state cache is named by a number of its opener's. */
  readonly openCache: {
    readonly given: { readonly cache: number; readonly path: string; readonly entriesMax?: number };
    readonly answer: undefined;
  };
  readonly loadStates: {
    readonly given: { readonly cache: number; readonly ids: readonly string[] };
    readonly answer: ReadonlyMap<string, KnownState>;
  };
  readonly saveStates: {
    readonly given: { readonly cache: number; readonly states: ReadonlyMap<string, KnownState> };
    readonly answer: undefined;
  };
  readonly closeCache: { readonly given: { readonly cache: number }; readonly answer: undefined };
}

export type JobName = keyof Jobs;

/** `nowMs`: the caller's clock, where it has one of its own. */
export type Order = {
  readonly [Name in JobName]: { readonly job: Name; readonly given: Jobs[Name]["given"] };
}[JobName] & { readonly id: number; readonly nowMs: number | undefined };

/** A `CmError` as plain data; `thrown` is anything else that was thrown. */
export type Fault =
  | { readonly code: string; readonly message: string; readonly data: ErrorData }
  | { readonly thrown: string };

export type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly fault: Fault };
