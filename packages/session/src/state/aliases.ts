import type { Successions } from "./successions.ts";

const pattern = /^[ft][1-9][0-9]*$/;

/** True for what a session could give as a short name. No object of a session carries such an id, see `draftToolcall`. */
export function looksLikeAlias(id: string): boolean {
  return pattern.test(id);
}

/** Short names within a session: `f12` the twelfth file that entered the index, `t7` the seventh tool call. */
export class Aliases {
  readonly #ids = new Map<string, string>();
  readonly #counts = { file: 0, toolcall: 0 };
  readonly #successions: Successions;

  constructor(successions: Successions) {
    this.#successions = successions;
  }

  copyFor(successions: Successions): Aliases {
    const copy = new Aliases(successions);
    for (const [alias, id] of this.#ids) copy.#ids.set(alias, id);
    Object.assign(copy.#counts, this.#counts);
    return copy;
  }

  /** The next name of its kind. Called once for each object, in order of entry, so names are the same on every read. */
  give(id: string, kind: "file" | "toolcall"): string {
    this.#counts[kind] += 1;
    const alias = `${kind === "file" ? "f" : "t"}${this.#counts[kind]}`;
    this.#ids.set(alias, id);
    return alias;
  }

  /** The id behind a name, of the newest that stands for it; what is no name of this session is taken for an id. */
  resolve(idOrAlias: string): string {
    return this.#successions.newest(this.#ids.get(idOrAlias) ?? idOrAlias);
  }
}
