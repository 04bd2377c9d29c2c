import type { RawObject } from "@cm/journal";
import type { RecordedEvent } from "@cm/recordings";

/** What a file has to say of a session, in its order. */
export interface SessionSource {
  readonly agent: string;
  /** Fit for a store. */
  readonly session: string;
  readonly cwd: string | undefined;
  readonly systemPrompt: string;
  /** The first line of a file of entries. */
  readonly header?: RawObject;
  /** Lines before it, of oh-my-pi. */
  readonly titles?: readonly RawObject[];
  readonly pieces: AsyncIterable<Piece> | Iterable<Piece>;
  /** Said once the pieces were read. */
  warnings(): readonly string[];
}

/** One entry of a file, or one event of a recording: a node of a tree, with what it brings into the conversation. */
export interface Piece {
  /** Absent for what is no node. */
  readonly id: string | undefined;
  readonly parent: string | null;
  readonly event?: RecordedEvent;
  /** The instructions that hold from here on. */
  readonly systemPrompt?: string;
  readonly at?: Date;
  /** As it is kept beside the steps; absent where those say it all. */
  readonly entry?: RawObject;
  /** What tells a file that grew from one that is another by now: the piece as it stood there. */
  readonly said: string;
}
