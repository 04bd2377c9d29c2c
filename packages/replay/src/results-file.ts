import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prices } from "@cm/context-log";
import { CmError, isCmError } from "@cm/object-model";
import { z } from "zod";
import type { RunResult } from "./results/run-result.ts";
import type { FamilySummary } from "./summary/family-summaries.ts";

/** A file that results depend on, by a name that says nothing of the machine. */
export interface FileHash {
  readonly file: string;
  /** In hex. */
  readonly sha256: string;
}

/** A change that older readers would misread is a new number. */
export const resultsFormat = "replay-results/1";
export const resultsFileName = "results.json";

/** The input of the comparison: enough to reproduce the figures, and to refuse a comparison with others. */
export interface ResultsMeta {
  readonly command: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** `commit` where the program runs from a working copy; with `-dirty` where that was changed. */
  readonly versions: { readonly experiments: string; readonly node: string; readonly commit?: string };
  readonly recordings: readonly (FileHash & { readonly recording: string; readonly calls: number })[];
  readonly policies: readonly {
    readonly name: string;
    readonly layout: string;
    /** Its description, with constants that differ from the commit's defaults. */
    readonly describe: string;
  }[];
  readonly prices: readonly { readonly name: string; readonly prices: Prices }[];
  /** `never`, `recorded` or minutes. */
  readonly lifetime: string;
  readonly headChars: number;
  /** Only the active path of branched sessions. */
  readonly activePath: boolean;
  /** System prompt, tools and tasks of an experiment, where there are such files. */
  readonly files?: readonly FileHash[];
}

/** `results.json` of a replay's folder. */
export interface ResultsFile {
  readonly format: typeof resultsFormat;
  readonly meta: ResultsMeta;
  readonly runs: readonly RunResult[];
  /** What families of agents, and all sessions, have together; can be made again from `runs`. */
  readonly families?: readonly FamilySummary[];
}

const count = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const figure = z.number().nonnegative();
const fileHash = z.object({ file: z.string(), sha256: hash });

/** The fields of a results file that a comparison needs; a run has more. */
const shape = z.object({
  format: z.literal(resultsFormat),
  meta: z.object({
    command: z.string(),
    recordings: z.array(fileHash.extend({ recording: z.string(), calls: count })),
    policies: z.array(z.object({ name: z.string(), layout: z.string() })),
    prices: z.array(z.object({ name: z.string(), prices: z.record(z.string(), z.number()) })),
    lifetime: z.string(),
    headChars: count,
    activePath: z.boolean(),
  }),
  runs: z.array(
    z.object({
      file: z.string(),
      recording: z.string(),
      family: z.string().optional(),
      policy: z.string(),
      pricing: z.string(),
      totals: z.object({
        ...{ billed: figure, plainBilled: figure, faultedShare: figure, breaksPer100: figure },
        ...{ needed: count, neededMet: count, cited: count, citedMet: count, citedInLine: count },
        // Runs of earlier versions were counted without these.
        ...{ union: count.optional(), unionMet: count.optional() },
        ...{ copied: count.optional(), copiedMet: count.optional() },
      }),
      calls: z.array(z.unknown()).transform(({ length }) => length),
    }),
  ),
});

/** A results file as far as comparing needs it. `calls` of a run is their number. */
export type ReadResults = z.infer<typeof shape>;
export type ReadRun = ReadResults["runs"][number];

/** @throws CmError `compare/no-results` where the folder has none that this version can read */
export function readResults(folder: string): ReadResults {
  const path = join(folder, resultsFileName);
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(value)) throw unreadable(`${path} was written by an earlier version; replay again.`);
    const read = shape.safeParse(value);
    if (read.success) return read.data;
    const at = read.error.issues[0]?.path.join(".") ?? "";
    throw unreadable(`${path} has not the shape of ${resultsFormat}${at === "" ? "" : ` (at ${at})`}; replay again.`);
  } catch (error) {
    if (isCmError(error)) throw error;
    if (error instanceof SyntaxError) throw unreadable(`${path} is no JSON; replay again.`);
    throw unreadable(`${folder} has no ${resultsFileName} that can be read; name the folder of a replay (--out).`);
  }
}

function unreadable(message: string): CmError<"compare/no-results"> {
  return new CmError("compare/no-results", message);
}
