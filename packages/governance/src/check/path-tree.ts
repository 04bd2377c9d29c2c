/** Paths with all that is below them, as a tree of their segments: a look costs the depth of a path, however many there are. */
export class PathTree {
  readonly #children = new Map<string, PathTree>();
  #isRule = false;

  constructor(paths: Iterable<readonly string[]> = []) {
    for (const path of paths) this.#add(path);
  }

  covers(path: readonly string[]): boolean {
    let node: PathTree = this;
    for (const name of path) {
      const child = node.#children.get(name);
      if (child === undefined) return false;
      if (child.#isRule) return true;
      node = child;
    }
    return false;
  }

  #add(path: readonly string[]): void {
    let node: PathTree = this;
    for (const name of path) {
      const child = node.#children.get(name) ?? new PathTree();
      node.#children.set(name, child);
      node = child;
    }
    node.#isRule = true;
  }
}
