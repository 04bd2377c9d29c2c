import type { StepAddress } from "@cm/object-model";

/** A step of the path, with what held after it. */
export interface PathRow {
  readonly address: StepAddress;
  readonly contentHash: string;
  /** Entries of the log up to here. */
  readonly end: number;
  readonly turn: number;
  readonly answered: boolean;
  readonly isErased: boolean;
}

/** Which texts a note of the log tells: it holds copies, and they are found again by these. */
export type NoteOrigin = RecalledOrigin | ResumedOrigin;

export interface RecalledOrigin {
  /** Of a file: the version that was in sight, the path it was shown under, and where the log has a part of it. */
  readonly contentHash: string | undefined;
  readonly display: string | undefined;
  readonly part: number | undefined;
}

export interface ResumedOrigin {
  readonly files: readonly {
    /** The version that the agent knew. */
    readonly before: string | undefined;
    readonly display: string | undefined;
  }[];
  /** The paths of files that could not be reached. */
  readonly unreachable: readonly (string | undefined)[];
}
