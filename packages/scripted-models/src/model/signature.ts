import { createHash } from "node:crypto";

/** Stands in for a provider's signature: whoever changes a byte of the thinking is found out. */
export const signatureOf = (thinking: string): string =>
  createHash("sha256").update(`scripted thinking: ${thinking}`).digest("base64");
