import type { ExtensionContext, SessionEntry } from "./pi-types.ts";

/** Entries that a branch may have grown by before it is read as a whole. */
const grownMax = 64;

/** The branch of a session of Pi, which mostly grows at its end: then only what is new is asked for. */
export class GrowingBranch {
  readonly #manager: Pick<ExtensionContext["sessionManager"], "getLeafId" | "getEntry" | "getBranch">;
  #entries: SessionEntry[] = [];

  constructor(manager: Pick<ExtensionContext["sessionManager"], "getLeafId" | "getEntry" | "getBranch">) {
    this.#manager = manager;
  }

  /** From the root to the leaf. The same list grows for as long as the branch does. */
  entries(): readonly SessionEntry[] {
    const added = this.#added();
    if (added === undefined) this.#entries = this.#manager.getBranch();
    else this.#entries.push(...added);
    return this.#entries;
  }

  /** What came behind the newest known entry; undefined where the branch is another one. */
  #added(): readonly SessionEntry[] | undefined {
    const known = this.#entries.at(-1);
    if (known === undefined) return undefined;
    const added: SessionEntry[] = [];
    for (let id = this.#manager.getLeafId(); id !== null; ) {
      const entry = this.#manager.getEntry(id);
      if (entry === known) return added.reverse();
      if (entry === undefined || added.length === grownMax) return undefined;
      added.push(entry);
      id = entry.parentId;
    }
    return undefined;
  }
}
