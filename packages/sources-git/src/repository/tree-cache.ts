import { limits } from "../limits.ts";
import type { Tree } from "./tree.ts";

/** Folders by id, those used last. An id stands for its bytes, so nothing here is ever out of date. */
export class TreeCache {
  readonly #trees = new Map<string, Tree>();
  readonly #entriesMax: number;
  #entries = 0;

  constructor(entriesMax: number = limits.treeEntriesCachedMax) {
    this.#entriesMax = entriesMax;
  }

  get(id: string): Tree | undefined {
    const tree = this.#trees.get(id);
    if (tree !== undefined) {
      this.#trees.delete(id);
      this.#trees.set(id, tree);
    }
    return tree;
  }

  set(id: string, tree: Tree): void {
    if (this.#trees.has(id)) return;
    this.#trees.set(id, tree);
    this.#entries += costOf(tree);
    for (const [oldest, old] of this.#trees) {
      if (this.#entries <= this.#entriesMax) return;
      this.#trees.delete(oldest);
      this.#entries -= costOf(old);
    }
  }
}

/** An empty folder takes room, too. */
function costOf(tree: Tree): number {
  return tree.size + 1;
}
