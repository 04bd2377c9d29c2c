import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { contains } from "./contains.ts";

/** A folder that may be opened, as it was when it was first seen. */
export interface Root {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * The declared folders by their real paths. One that is not there is checked again until it is seen for the first
 * time; from then on it is that folder, and another one in its place is not it.
 */
export class Roots {
  readonly #unseen: Set<string>;
  readonly #seen: Root[] = [];
  #paths: readonly string[] = [];

  constructor(declared: readonly string[]) {
    this.#unseen = new Set(declared);
  }

  /** The innermost root that holds a canonical path. */
  holding(path: string): Root | undefined {
    if (this.#unseen.size > 0) this.#scan();
    return this.#seen.find((root) => contains(root.path, path));
  }

  /** The real paths of all that were seen; the same list until another is. */
  paths(): readonly string[] {
    return this.#paths;
  }

  /** The real paths of all that are there now or were, those inside another with them. */
  all(): readonly string[] {
    this.#scan();
    return this.#paths;
  }

  /** All that were seen, without those inside another. */
  seen(): readonly Root[] {
    this.#scan();
    return this.#seen.filter(
      ({ path }) => !this.#seen.some((other) => other.path !== path && contains(other.path, path)),
    );
  }

  /** A path below a root that has not been seen yet. */
  isBelowUnseen(path: string): boolean {
    return [...this.#unseen].some((declared) => contains(declared, path));
  }

  #scan(): void {
    for (const declared of this.#unseen) {
      const found = folderAt(declared);
      if (found === undefined) continue;
      this.#unseen.delete(declared);
      if (this.#seen.some(({ path }) => path === found.path)) continue;
      this.#seen.push(found);
      this.#seen.sort((a, b) => b.path.length - a.path.length);
      this.#paths = this.#seen.map(({ path }) => path);
    }
  }
}

/** Whether the root is still the folder, on the same mounted file system, that was first seen. */
export function isIntact({ path, dev, ino }: Root): boolean {
  const now = statOf(path);
  return now !== undefined && now.dev === dev && now.ino === ino;
}

function folderAt(declared: string): Root | undefined {
  try {
    const path = realpathSync.native(declared);
    const { dev, ino } = lstatSync(path, { bigint: true });
    return { path, dev, ino };
  } catch {
    return undefined;
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
