import { createHash } from "node:crypto";

/** Stands in for a provider's signature: it detects each changed byte of the thinking. */
export const signatureOf = (thinking: string): string =>
  createHash("sha256").update(`scripted thinking: ${thinking}`).digest("base64");
