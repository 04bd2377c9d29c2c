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
  /** Numbers of ids in order of entry: the number in a name is a place here, from 1 on. */
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
    this.#numbers[kind].push(this.#ids.give(id));
    return `${kind === "file" ? "f" : "t"}${this.#numbers[kind].length}`;
  }

  /** The id behind a name, of the newest that stands for it; what is no name of this session is taken for an id. */
  resolve(idOrAlias: string): string {
    return this.#successions.newest(this.#named(idOrAlias) ?? idOrAlias);
  }

  #named(alias: string): string | undefined {
    if (!looksLikeAlias(alias)) return undefined;
    const numbers = this.#numbers[alias.startsWith("f") ? "file" : "toolcall"];
    const place = Number(alias.slice(1)) - 1;
    return place < numbers.length ? this.#ids.id(numbers.at(place)) : undefined;
  }
}
