/** Edits so many steps apart, or fewer, belong to one plan. */
const planSteps = 12;

/** Which files were edited together: files of one plan then are likely to be files of one plan again. */
export class CoEdits {
  readonly #newest: { readonly file: number; readonly step: number }[] = [];
  readonly #partners = new Map<number, Set<number>>();
  /** How many each file has: asked for of thousands of parts at each request. */
  readonly #counts: number[] = [];

  add(file: number, step: number): void {
    const ofPlan = this.#newest.filter((edit) => edit.step >= step - planSteps);
    for (const { file: other } of ofPlan) {
      if (other === file) continue;
      this.#join(file, other);
      this.#join(other, file);
    }
    this.#newest.splice(0, this.#newest.length, ...ofPlan.filter((edit) => edit.file !== file), { file, step });
  }

  /** The other files that were ever edited with it. */
  partnersOf(file: number): readonly number[] {
    return [...(this.#partners.get(file) ?? [])];
  }

  partnerCount(file: number): number {
    return this.#counts[file] ?? 0;
  }

  #join(file: number, partner: number): void {
    const partners = this.#partners.get(file) ?? new Set();
    this.#partners.set(file, partners.add(partner));
    this.#counts[file] = partners.size;
  }
}
