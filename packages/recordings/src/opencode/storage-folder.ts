import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { limits } from "../limits.ts";
import { parsedJson } from "../parsed-json.ts";
import { isRawObject } from "../raw-object.ts";
import { tooLarge } from "../recording-error.ts";
import { type OpencodeMessage, type OpencodeSession, toMessage } from "./message.ts";

/**
 * The messages of a session in opencode's storage folder: `session/PROJECT/ID.json` at `path` describes it, and each
 * message and each part is a file of its own, `message/ID/` and `part/MESSAGE/`. Their names sort in the order of time.
 * @throws CmError `recording/too-large`.
 */
export async function storedMessages(path: string, { id }: OpencodeSession): Promise<(OpencodeMessage | null)[]> {
  // Ids become names of folders here.
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) return [];
  const storage = dirname(dirname(dirname(path)));
  const budget = new Budget(path);
  const messages: (OpencodeMessage | null)[] = [];
  const folder = join(storage, "message", id);
  for (const name of await jsonNames(folder)) {
    const info = await budget.json(join(folder, name));
    const parts: unknown[] = [];
    const own = join(storage, "part", name.slice(0, -".json".length));
    for (const part of await jsonNames(own)) parts.push(await budget.json(join(own, part)));
    messages.push(isRawObject(info) ? toMessage({ info, parts }) : null);
  }
  return messages;
}

/** Bounds what one session brings together, by files and by bytes. */
class Budget {
  readonly #path: string;
  #files = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined for what is no JSON or is gone by now. */
  async json(file: string): Promise<unknown> {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || !found.isFile()) return undefined;
    this.#files += 1;
    this.#bytes += found.size;
    if (this.#files > limits.storedFilesMax || this.#bytes > limits.documentBytesMax) throw tooLarge(this.#path);
    return parsedJson(await readFile(file, "utf8"));
  }
}

async function jsonNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).sort();
}
