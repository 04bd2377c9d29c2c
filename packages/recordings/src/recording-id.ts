import { createHash } from "node:crypto";
import { limits } from "./limits.ts";

const fit = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const hashChars = 16;

/**
 * The session's id where it can be part of file names and database ids. Otherwise what is left of it with a hash of the
 * whole, so that two sessions never become one; without any id, a hash of the file's name.
 */
export function recordingId(sessionId: string | undefined, fileName: string): string {
  if (sessionId === undefined || sessionId === "") return sha256(fileName);
  if (fit.test(sessionId) && sessionId.length <= limits.idCharsMax) return sessionId;
  const left = sessionId.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "");
  if (left === "") return sha256(fileName);
  return `${left.slice(0, limits.idCharsMax - hashChars - 1)}-${sha256(sessionId).slice(0, hashChars)}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
