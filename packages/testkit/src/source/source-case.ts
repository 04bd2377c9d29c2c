import { runCase } from "../case/run-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { admitSource } from "./source-calls.ts";
import type { SourceSubject } from "./source-subject.ts";

/** Gives a source on a world of its own. A case opens one and closes it when it ends. */
export type SourceFactory = () => Promise<SourceSubject>;
export type SourceCase = ConformanceCase<SourceFactory>;

/** A case without the opening and closing of its subject. */
export interface SourceLaw {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  holds(subject: SourceSubject): Promise<void>;
}

export function sourceCase({ id, clause, title, holds }: SourceLaw): SourceCase {
  return {
    id,
    clause,
    title,
    run: (open, options) =>
      runCase(
        { id, open: async () => open(), admit: admitSource, holds, close: async (subject) => subject.close() },
        options,
      ),
  };
}
