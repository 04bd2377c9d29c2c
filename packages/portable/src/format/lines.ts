import { limits as modelLimits, type ObjectDocument } from "@cm/object-model";
import * as z from "zod/mini";
import { limits } from "../limits.ts";

/** The one format that this package writes and reads. Another one gets another name. */
export const bundleFormat = "cm-bundle/1";

const sum = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hash = sum;
const count = z.int().check(z.minimum(0));
const id = z.string().check(z.minLength(1), z.maxLength(modelLimits.idCharsMax));

/** In the order in which a bundle has them; those of one rank stand mixed. */
export const ranks = {
  toolcall: 0,
  attachment: 1,
  file: 2,
  system_prompt: 3,
  step: 3,
  keyframe: 3,
  standing: 3,
  journal_part: 4,
  journal: 4,
  chat: 5,
  session: 5,
} as const;
export type CarriedType = keyof typeof ranks;

export const headerLine = z.strictObject({
  format: z.literal(bundleFormat),
  kind: z.literal("header"),
  session: z.string().check(z.minLength(1), z.maxLength(modelLimits.sessionIdCharsMax)),
  /** Steps that follow: what a reader shows its progress by. */
  steps: count,
  sum,
});

/** One version of an object. `at`: from when it held, in milliseconds since the epoch. */
const versionLine = z.strictObject({
  at: z.int().check(z.minimum(limits.validTimeMinMs), z.maximum(limits.validTimeMaxMs)),
  // Its own schema is checked by `parseDocument`; a copy made here would lose a key named `__proto__`.
  document: z.custom<ObjectDocument>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  kind: z.literal("version"),
  sum,
});

/**
 * Something the session names that was erased before the bundle was made. A file's version is told by its hash. `lost`: it was not
 * erased, and the store did not have it.
 */
const erasedLine = z.strictObject({
  content_hash: z.optional(hash),
  id,
  kind: z.literal("erased"),
  lost: z.optional(z.literal(true)),
  /** The type of the object. */
  of: z.enum(["toolcall", "attachment", "file", "system_prompt", "step", "keyframe", "journal_part"]),
  sum,
});

const counts = z.strictObject({
  toolcall: count,
  attachment: count,
  file: count,
  system_prompt: count,
  step: count,
  keyframe: count,
  chat: count,
  session: count,
  erased: count,
  /** Only where a keyframe has one beside it: bundles of other sessions stay as they were. */
  standing: z.optional(count),
  /** Only where the session came from a file: bundles of other sessions stay as they were. */
  journal: z.optional(count),
  journal_part: z.optional(count),
});
export type Counts = z.infer<typeof counts>;

/** The last line. Its `sum` covers all lines before it: the digest of the bundle. */
const trailerLine = z.strictObject({
  /** The bytes of all lines before this one, with their ends. */
  bytes: count,
  counts,
  kind: z.literal("trailer"),
  sum,
});

export const bundleLine = z.discriminatedUnion("kind", [headerLine, versionLine, erasedLine, trailerLine]);
export type BundleLine = z.infer<typeof bundleLine>;
export type VersionLine = z.infer<typeof versionLine>;
export type ErasedLine = z.infer<typeof erasedLine>;
export type TrailerLine = z.infer<typeof trailerLine>;

/** A line before it has its sum. */
export type Unsummed<Line> = Line extends unknown ? Omit<Line, "sum"> : never;

export const noCounts = (): Counts => ({
  toolcall: 0,
  attachment: 0,
  file: 0,
  system_prompt: 0,
  step: 0,
  keyframe: 0,
  chat: 0,
  session: 0,
  erased: 0,
});

export function countVersion(counts: Counts, type: CarriedType): void {
  counts[type] = (counts[type] ?? 0) + 1;
}
