import { type SubjectLaw, subjectCase } from "../case/subject-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { admitSource } from "./source-calls.ts";
import type { SourceSubject } from "./source-subject.ts";

/** Gives a source on a world of its own. A case opens one and closes it when it ends. */
export type SourceFactory = () => Promise<SourceSubject>;
export type SourceCase = ConformanceCase<SourceFactory>;
export type SourceLaw = SubjectLaw<SourceSubject>;

export const sourceCase = (law: SourceLaw): SourceCase => subjectCase(law, admitSource);
