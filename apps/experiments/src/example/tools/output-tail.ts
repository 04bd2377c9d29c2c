import { limits } from "../limits.ts";

/** The end of what a command wrote, from a line's start where lines were dropped. */
export interface CommandOutput {
  readonly text: string;
  readonly linesBefore: number;
}

/** Collects output and keeps only its end in memory, however much comes. */
export class OutputTail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #linesDropped = 0;
  #cut = false;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Twice the bound before a cut, so that the cost of cutting is shared by many chunks.
    if (this.#bytes > 2 * limits.outputBytesMax) this.#cutTo(limits.outputBytesMax);
  }

  read(): CommandOutput {
    if (this.#bytes > limits.outputBytesMax) this.#cutTo(limits.outputBytesMax);
    const bytes = Buffer.concat(this.#chunks);
    const start = this.#cut ? bytes.indexOf(0x0a) + 1 : 0;
    // A line without an end is shown from where it was cut.
    const text = bytes.subarray(start).toString("utf8");
    return { text, linesBefore: this.#linesDropped + (start > 0 ? 1 : 0) };
  }

  #cutTo(bytesMax: number): void {
    const bytes = Buffer.concat(this.#chunks);
    const dropped = bytes.subarray(0, bytes.length - bytesMax);
    for (let at = dropped.indexOf(0x0a); at !== -1; at = dropped.indexOf(0x0a, at + 1)) this.#linesDropped++;
    // A copy: a part of the old buffer would keep all of it.
    this.#chunks = [Buffer.from(bytes.subarray(bytes.length - bytesMax))];
    this.#bytes = bytesMax;
    this.#cut = true;
  }
}
