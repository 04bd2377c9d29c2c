import type { Redactor } from "@cm/sources-fs";

const mark = "[redacted:";

/**
 * The model must see a file as it is, or it could not edit it; the store must not (SSOT 5.10, decision 63). Lines with
 * marks are put back to what the tool said, and only those of the same output.
 */
export class Secrets {
  readonly #redact: Redactor;
  /** By message: each line with a mark, and the line that it stands for. */
  readonly #lines = new WeakMap<object, ReadonlyMap<string, string>>();

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  /** `text` as the prompt has it, with the lines of `original`, which is what the message says. */
  restore(text: string, message: object, original: () => string): string {
    if (!text.includes(mark)) return text;
    const lines = this.#linesOf(message, original);
    // Whole lines only: one with a mark may be the end of another, which stands for something else.
    return text
      .split("\n")
      .map((line) => lines.get(line) ?? line)
      .join("\n");
  }

  #linesOf(message: object, original: () => string): ReadonlyMap<string, string> {
    const known = this.#lines.get(message);
    if (known !== undefined) return known;
    const lines = changedLines(original(), this.#redact);
    this.#lines.set(message, lines);
    return lines;
  }
}

function changedLines(original: string, redact: Redactor): ReadonlyMap<string, string> {
  const before = original.toWellFormed().split("\n");
  const after = redact(original.toWellFormed()).text.split("\n");
  // The redactor keeps the number of lines; where it did not, nothing can be told apart and the marks stay.
  if (before.length !== after.length) return new Map();
  const changed = new Map<string, string | undefined>();
  for (const [place, line] of after.entries()) {
    const secret = before[place] ?? "";
    if (line === secret || !line.includes(mark)) continue;
    // Two secrets behind one line: which is which depends on the place, so neither is put back.
    changed.set(line, changed.has(line) && changed.get(line) !== secret ? undefined : secret);
  }
  return new Map([...changed].flatMap(([line, secret]) => (secret === undefined ? [] : [[line, secret] as const])));
}
