import type { ConformanceCase } from "../suite.ts";
import type { LastCall } from "./last-call.ts";
import { runCase } from "./run-case.ts";

/** A case without the opening and closing of its subject. */
export interface SubjectLaw<Subject> {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  holds(subject: Subject): Promise<void>;
}

/** The case of a law: it opens a subject, and closes it when it ends. */
export const subjectCase = <Subject extends { close(): Promise<void> }>(
  { id, clause, title, holds }: SubjectLaw<Subject>,
  admit: (subject: Subject, calls: LastCall) => Subject,
): ConformanceCase<() => Promise<Subject>> => ({
  id,
  clause,
  title,
  run: (open, options) =>
    runCase({ id, open: async () => open(), admit, holds, close: async (subject) => subject.close() }, options),
});
