import { type Journal, type ParseOptions, parseJournal } from "./journal.ts";
import { type JsonLine, type JsonLinesOptions, jsonLines } from "./json-lines.ts";
import { type JournalSource, sourceName } from "./source.ts";

export type ReadOptions = ParseOptions & JsonLinesOptions;

/**
 * Reads a Pi or oh-my-pi session, versions 1 to 3. The file is only read, also where it is of an old version.
 * Memory grows with what the session holds, one line at a time.
 * @param source a path, or the bytes.
 * @throws CmError `journal/unreadable`, `journal/line-too-long`, `journal/not-a-session`.
 */
export async function readJournal(source: JournalSource, options: ReadOptions = {}): Promise<Journal> {
  const lines: JsonLine[] = [];
  for await (const line of jsonLines(source, options)) lines.push(line);
  return parseJournal(lines, { name: sourceName(source), ...options });
}
