/** Where an entry stands; see `LogEntry`. */
export interface EntryPlace {
  readonly at: number;
  readonly step: number;
  /** User prompts up to here (SSOT "turn"), from 0. */
  readonly turn: number;
}

export interface NotePlace extends EntryPlace {
  /** The place in the log of the result at whose end it stands. */
  readonly into: number;
}
