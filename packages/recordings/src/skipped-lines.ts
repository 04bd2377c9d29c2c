import { limits } from "./limits.ts";

/** Counts lines that could not be read and names the first ones. */
export class SkippedLines {
  readonly #first: number[] = [];
  #count = 0;

  add(line: number): void {
    this.#count += 1;
    if (this.#first.length < limits.skippedLinesNamed) this.#first.push(line);
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly number[] {
    return this.#first;
  }
}
