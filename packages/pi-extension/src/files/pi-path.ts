import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { fileTouchLimits as limits } from "./file-limits.ts";
import type { CallPlace } from "./recorded-touch.ts";

/** What Pi takes for a space: models write these, and names of files have the plain one. */
const otherSpaces = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The path that one of Pi's own tools opens for an argument, by Pi's rules: numbers as text, other spaces as spaces, one
 * `@` in front off, `~` and `file:` URLs replaced, the rest from the working folder. Links are left as they are.
 * Undefined for what is no path.
 */
export function piPath(argument: unknown, place: CallPlace): string | undefined {
  const text = typeof argument === "number" || typeof argument === "boolean" ? String(argument) : argument;
  if (typeof text !== "string") return undefined;
  const plain = text.replace(otherSpaces, " ").replace(/^@/, "");
  return agentPath(plain.startsWith("file://") ? fromUrl(plain) : plain, place);
}

/** A path as shells and other tools take it: only `~` is replaced. */
export function agentPath(text: string | undefined, { cwd, home }: CallPlace): string | undefined {
  if (text === undefined || text.length > limits.pathCharsMax || text.includes("\0")) return undefined;
  const whole = text === "~" ? home : text.startsWith("~/") ? posix.join(home, text.slice(2)) : text;
  // Without a working folder, `resolve` would take that of this process.
  return posix.isAbsolute(whole) || posix.isAbsolute(cwd) ? posix.resolve(cwd, whole).toWellFormed() : undefined;
}

/** Whether a source takes it. */
export const isBindable = (path: string): boolean =>
  posix.isAbsolute(path) && path.length <= limits.pathCharsMax && !path.includes("\0") && path.isWellFormed();

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url, { windows: false });
  } catch {
    return undefined;
  }
}
