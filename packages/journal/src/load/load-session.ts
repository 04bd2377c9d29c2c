import { CmError } from "@cm/object-model";
import type { FileEntry } from "../format/session-entry.ts";
import { limits } from "../limits.ts";
import { sourceName } from "../source.ts";
import { FileSessionStorage } from "../storage/file-session-storage.ts";
import type { SessionStorage } from "../storage/session-storage.ts";
import { parseSessionText, type SessionText } from "./parse-session-text.ts";

/**
 * The header and the entries of a file as they stand, in their version. Empty for a file that is not there, is empty, or
 * does not begin with a header. Lines that cannot be read are left out.
 */
export async function loadEntriesFromFile(
  path: string,
  storage: SessionStorage = new FileSessionStorage(),
): Promise<FileEntry[]> {
  return (await readSessionText(path, storage)).entries;
}

/** @throws CmError `journal/too-large`; what reading throws, but for a file that is not there */
export async function readSessionText(path: string, storage: SessionStorage): Promise<SessionText> {
  try {
    const { size } = storage.statSync(path);
    if (size > limits.sessionBytesMax) throw tooLarge(path);
    return parseSessionText(await storage.readText(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return parseSessionText("");
    throw error;
  }
}

function tooLarge(path: string): CmError<"journal/too-large"> {
  const [file, bytesMax] = [sourceName(path), limits.sessionBytesMax];
  const message = `${file} is larger than ${bytesMax} bytes; read it line by line with jsonLines.`;
  return new CmError("journal/too-large", message, { file, bytesMax });
}
