import { sha256 } from "@cm/object-model";

/** Stands in for a provider's signature: whoever changes a byte of the thinking is found out. */
export const signatureOf = (thinking: string): string => sha256(`scripted:${thinking}`);
