import { z } from "zod";
import type { RunResult } from "./run-result.ts";

const count = z.number().int().nonnegative();
const figure = z.number().nonnegative();

const totals = z.object({
  ...{ billedShare: figure, sentShare: figure, cachedShare: figure, peakChars: count, plainPeakChars: count },
  ...{ breaksPer100: figure, neededMet: count, needed: count, missedFiles: count.optional() },
  ...{ union: count.optional(), unionMet: count.optional(), cited: count.optional(), citedMet: count.optional() },
  ...{ citedInLine: count.optional(), copied: count.optional(), copiedMet: count.optional() },
  ...{ faultedShare: figure.optional(), dialogueShare: figure.optional() },
  ...{ cutOffShare: figure.optional(), cutOffCalls: count.optional(), billed: figure, plainBilled: figure },
});

const resident = z.object({
  ...{ dialogue: count, args: count, output: count, references: count, pool: count, active: count },
});

const call = z.object({
  ...{ call: count, sentChars: count, cachedChars: count, billed: figure, plainSentChars: count, plainBilled: figure },
  resident,
  fold: z
    .object({ cut: count, reason: z.string(), parts: count.optional(), savedChars: z.number().optional() })
    .optional(),
  reasons: z.record(z.string(), count).optional(),
  ...{ cold: z.literal(true).optional(), broke: z.literal(true).optional() },
  missed: z.array(z.object({ line: z.string(), file: z.string().optional(), part: z.string().optional() })).optional(),
  recalled: z.array(z.string()).optional(),
  ...{ assembleMs: figure, recordMs: figure },
});

const part = z.object({
  key: z.string(),
  kind: z.enum(["user", "assistant", "arguments", "result", "recalled"]),
  ...{ tool: z.string().optional(), target: z.string().optional(), chars: count },
  forms: z.array(z.object({ call: count, form: z.string(), chars: count, reason: z.string().optional() })),
});

/** The shape of a result as it stands in `results.json`; unknown fields of later versions are left out. */
export const runResultSchema = z.object({
  ...{ file: z.string(), recording: z.string(), family: z.string().optional() },
  ...{ policy: z.string(), layout: z.string(), session: z.string() },
  store: z.enum(["sqlite", "memory", "postgres", "xtdb"]),
  database: z.string().optional(),
  prices: z.looseObject({ read: figure, write: figure }),
  ...{ pricing: z.string().optional(), lifetime: z.string().optional(), headChars: count },
  ...{ calls: z.array(call), parts: z.array(part).optional(), totals },
  ...{ seconds: figure, warnings: z.array(z.string()) },
});

/** Fails to compile where a result has a field of another kind than the schema says. */
type Fits<T extends z.input<typeof runResultSchema>> = T;
export type SchemaOfResults = Fits<Mutable<RunResult>>;

type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
