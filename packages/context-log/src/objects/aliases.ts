import { NumberColumn } from "../number-column.ts";
import type { IdTable } from "../sets/id-table.ts";
import type { Successions } from "./successions.ts";

const pattern = /^[ft][1-9][0-9]*$/;

/** True for what a session could give as a short name. No object of a session carries such an id, see `draftToolcall`. */
export function looksLikeAlias(id: string): boolean {
  return pattern.test(id);
}

/** Short names within a session: `f12` the twelfth file that entered the index, `t7` the seventh tool call. */
export class Aliases {
  /** One more than the numbers of ids, in order of entry: the number in a name is a place here, from 1 on. 0: not put back. */
  readonly #numbers = { file: new NumberColumn(new Uint32Array()), toolcall: new NumberColumn(new Uint32Array()) };
  readonly #successions: Successions;
  readonly #ids: IdTable;

  constructor(successions: Successions, ids: IdTable) {
    this.#successions = successions;
    this.#ids = ids;
  }

  copyFor(successions: Successions): Aliases {
    const copy = new Aliases(successions, this.#ids);
    copy.#numbers.file = this.#numbers.file.copy();
    copy.#numbers.toolcall = this.#numbers.toolcall.copy();
    return copy;
  }

  /** The next name of its kind. Called once for each object, in order of entry, so names are the same on every read. */
  give(id: string, kind: "file" | "toolcall"): string {
    this.#numbers[kind].push(this.#ids.give(id) + 1);
    return `${kind === "file" ? "f" : "t"}${this.#numbers[kind].length}`;
  }

  /** How many names were given. */
  get given(): { readonly file: number; readonly toolcall: number } {
    return { file: this.#numbers.file.length, toolcall: this.#numbers.toolcall.length };
  }

  /** Puts back a name that was given before. */
  putBack(alias: string, id: string): void {
    this.#numbers[kindOf(alias)].set(Number(alias.slice(1)) - 1, this.#ids.give(id) + 1);
  }

  /** Goes on after so many names, whether they are put back or not. */
  goOnAfter({ file, toolcall }: Aliases["given"]): void {
    for (const [numbers, count] of [[this.#numbers.file, file] as const, [this.#numbers.toolcall, toolcall] as const]) {
      if (count > numbers.length) numbers.set(count - 1, 0);
    }
  }

  /** The id behind a name, of the newest that stands for it; what is no name of this session is taken for an id. */
  resolve(idOrAlias: string): string {
    return this.#successions.newest(this.#named(idOrAlias) ?? idOrAlias);
  }

  #named(alias: string): string | undefined {
    if (!looksLikeAlias(alias)) return undefined;
    const number = this.#numbers[kindOf(alias)].at(Number(alias.slice(1)) - 1);
    return number === 0 ? undefined : this.#ids.id(number - 1);
  }
}

const kindOf = (alias: string): "file" | "toolcall" => (alias.startsWith("f") ? "file" : "toolcall");
