import { z } from "zod";
import { badAnswer } from "./server-errors.ts";

const txId = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{40}$/);

/** Checks what XTDB wraps its answers in. Documents and rows are not looked at. */
export function envelope<Schema extends z.ZodType>(schema: Schema, value: unknown, endpoint: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw badAnswer(endpoint, "not the shape XTDB 1 answers in");
  return result.data;
}

const tx = { "xtdb.api/tx-id": txId, "xtdb.api/tx-time": z.date() };

/** await-tx, latest-completed-tx in EDN. */
export const txSchema = z
  .object(tx)
  .transform((tx) => ({ txId: tx["xtdb.api/tx-id"], txTime: tx["xtdb.api/tx-time"] }));

/** submit-tx in EDN, with the outcome where a door of ours waited for it. */
export const submittedSchema = z.object({ ...tx, "cm.xtdb/committed?": z.boolean().optional() }).transform((it) => ({
  txId: it["xtdb.api/tx-id"],
  txTime: it["xtdb.api/tx-time"],
  committed: it["cm.xtdb/committed?"],
}));

export type Submitted = z.output<typeof submittedSchema>;

/** latest-submitted-tx in JSON. */
export const txIdSchema = z.object({ txId });

/** tx-committed in JSON. */
export const committedSchema = z.object({ "txCommitted?": z.boolean() }).transform((it) => it["txCommitted?"]);

/** sync in EDN. */
export const syncSchema = z
  .object({ "xtdb.api/tx-time": z.date().nullable() })
  .transform((it) => ({ txTime: it["xtdb.api/tx-time"] ?? undefined }));

/** db in EDN, on a node that has indexed something or nothing. */
export const basisSchema = z
  .object({
    "xtdb.api/valid-time": z.date(),
    "xtdb.api/tx": z.object({ "xtdb.api/tx-id": txId.nullish() }).nullish(),
  })
  .transform((it) => ({
    validTime: it["xtdb.api/valid-time"],
    txId: it["xtdb.api/tx"]?.["xtdb.api/tx-id"] ?? undefined,
  }));

/** status in JSON. */
export const statusSchema = z
  .object({
    version: z.string().nullish(),
    revision: z.string().nullish(),
    indexVersion: z.number().nullish(),
    kvStore: z.string().nullish(),
    estimateNumKeys: z.number().nullish(),
    size: z.number().nullish(),
    "ingesterFailed?": z.boolean().nullish(),
  })
  .transform((it) => ({
    version: it.version ?? undefined,
    revision: it.revision ?? undefined,
    indexVersion: it.indexVersion ?? undefined,
    kvStore: it.kvStore ?? undefined,
    estimatedKeys: it.estimateNumKeys ?? undefined,
    sizeBytes: it.size ?? undefined,
    ingesterFailed: it["ingesterFailed?"] === true,
  }));

const entityVersion = {
  "xtdb.api/tx-id": txId,
  "xtdb.api/tx-time": z.date(),
  "xtdb.api/valid-time": z.date(),
  "xtdb.api/content-hash": hash.nullish(),
};

/** entity-tx and histories in EDN. */
export const entityVersionSchema = z.object(entityVersion).transform((it) => ({
  txId: it["xtdb.api/tx-id"],
  txTime: it["xtdb.api/tx-time"],
  validTime: it["xtdb.api/valid-time"],
  contentHash: contentHash(it["xtdb.api/content-hash"]),
}));

/** Forty zeros stand for a version without a document: the end of validity. */
export function contentHash(text: string | null | undefined): string | null {
  return text === undefined || text === null || /^0{40}$/.test(text) ? null : text;
}
