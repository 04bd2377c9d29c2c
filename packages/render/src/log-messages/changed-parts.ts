import type { ContextView } from "@cm/context-log";

/** Reads on in the list of parts whose form changed. */
export class ChangedParts {
  #list: ContextView["formsChanged"];
  #forms: ContextView["forms"] | undefined;
  #read = 0;

  /** The parts that changed since the last time; undefined where any part may have. */
  since({ forms, formsChanged }: Pick<ContextView, "forms" | "formsChanged">): readonly string[] | undefined {
    const goesOn = formsChanged !== undefined && formsChanged === this.#list && forms === this.#forms;
    const changed = goesOn ? formsChanged.slice(this.#read) : undefined;
    this.#list = formsChanged;
    this.#forms = forms;
    this.#read = formsChanged?.length ?? 0;
    return changed;
  }
}
