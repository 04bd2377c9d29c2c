import type { RecordedCall, RecordedResult, RecordedUser } from "@cm/recordings";

/** An answer with the results of its calls: a step, once it is recorded. */
export interface Group {
  /** The step's number; undefined until it is recorded. */
  n?: number;
  /** Calls that wait for their result, by id. */
  readonly waiting: Map<string, RecordedCall>;
}

/** What was said behind a step, newest first: branches share its beginning. */
export interface Said {
  readonly event: RecordedUser | RecordedResult;
  readonly before: Said | undefined;
  /** Set once a step has taken it in. */
  takenBy?: Group;
}

/** Where a node of the tree stands: behind a step, with what was said since. */
export interface Position {
  readonly group: Group | undefined;
  readonly said: Said | undefined;
  /** The instructions that hold there. */
  readonly systemPrompt: string;
}

export const startWith = (systemPrompt: string): Position => ({ group: undefined, said: undefined, systemPrompt });

/** What was said from one position to another, oldest first; undefined where the one does not lead to the other. */
export function saidBetween(from: Position, to: Position): readonly Said[] | undefined {
  if (from.group?.n !== to.group?.n) return undefined;
  const between: Said[] = [];
  for (let said = to.said; said !== from.said; said = said.before) {
    if (said === undefined) return undefined;
    between.push(said);
  }
  return between.reverse();
}
