import type { Successions } from "./successions.ts";

const pattern = /^[ft][1-9][0-9]*$/;

/** True for what a session could give as a short name. No object of a session carries such an id, see `draftToolcall`. */
export function looksLikeAlias(id: string): boolean {
  return pattern.test(id);
}

/** Short names within a session: `f12` the twelfth file that entered the index, `t7` the seventh tool call. */
export class Aliases {
  /** In order of entry: the number in a name is a place here. */
  readonly #ids = { file: [] as string[], toolcall: [] as string[] };
  readonly #successions: Successions;

  constructor(successions: Successions) {
    this.#successions = successions;
  }

  copyFor(successions: Successions): Aliases {
    const copy = new Aliases(successions);
    copy.#ids.file = [...this.#ids.file];
    copy.#ids.toolcall = [...this.#ids.toolcall];
    return copy;
  }

  /** The next name of its kind. Called once for each object, in order of entry, so names are the same on every read. */
  give(id: string, kind: "file" | "toolcall"): string {
    const number = this.#ids[kind].push(id);
    return `${kind === "file" ? "f" : "t"}${number}`;
  }

  /** Puts back a name that was given before. */
  putBack(alias: string, id: string): void {
    this.#ids[alias.startsWith("f") ? "file" : "toolcall"][Number(alias.slice(1)) - 1] = id;
  }

  /** Goes on after so many names, whether they are put back or not. */
  goOnAfter({ file, toolcall }: { readonly file: number; readonly toolcall: number }): void {
    this.#ids.file.length = file;
    this.#ids.toolcall.length = toolcall;
  }

  /** The id behind a name, of the newest that stands for it; what is no name of this session is taken for an id. */
  resolve(idOrAlias: string): string {
    return this.#successions.newest(this.#named(idOrAlias) ?? idOrAlias);
  }

  #named(alias: string): string | undefined {
    if (!looksLikeAlias(alias)) return undefined;
    return this.#ids[alias.startsWith("f") ? "file" : "toolcall"][Number(alias.slice(1)) - 1];
  }
}
