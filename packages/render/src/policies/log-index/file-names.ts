/**
 * Gives each file one number, although calls name it by object id, absolute or relative path. Two paths are one file
 * when one is absolute and ends with the other, unless the harness says that they are two, or the file has another path of
 * that kind already; the first match by order of appearance wins, so the numbers follow from the log.
 */
export class FileNames {
  readonly #byId = new Map<string, number>();
  readonly #byPath = new Map<string, number>();
  readonly #pathsByBase = new Map<string, { readonly path: string; readonly file: number }[]>();
  readonly #idOf = new Map<number, string>();
  readonly #pathsOf = new Map<number, string[]>();
  #count = 0;

  /** `id` where the harness named exactly one file for the call. */
  numberOf(path: string, id: string | undefined): number {
    const clean = path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
    const file = (id === undefined ? undefined : this.#byId.get(id)) ?? this.#sameFile(clean, id) ?? this.#count++;
    if (id !== undefined && !this.#idOf.has(file)) {
      this.#byId.set(id, file);
      this.#idOf.set(file, id);
    }
    if (!this.#byPath.has(clean)) this.#remember(clean, file);
    return file;
  }

  /** The file of an object; undefined where no call named it. */
  numberOfId(id: string): number | undefined {
    return this.#byId.get(id);
  }

  idOf(file: number): string | undefined {
    return this.#idOf.get(file);
  }

  /** As calls named it, with forward slashes; oldest first. */
  pathsOf(file: number): readonly string[] {
    return this.#pathsOf.get(file) ?? [];
  }

  /**
   * The folder at which relative paths begin: the one that most of them say by where their files lie, among equals the outermost,
   * since a link leads further in more often. Undefined where none says so.
   */
  workFolder(pathOf: (id: string) => string | undefined): string | undefined {
    const said = new Map<string, number>();
    for (const [file, id] of this.#idOf) {
      const path = pathOf(id);
      for (const asked of path === undefined ? [] : this.pathsOf(file)) {
        const folder = path === undefined || isAbsolute.test(asked) ? undefined : folderBefore(path, asked);
        if (folder !== undefined) said.set(folder, (said.get(folder) ?? 0) + 1);
      }
    }
    const [most] = [...said].sort(([one, times], [other, more]) => more - times || one.length - other.length);
    return most?.[0];
  }

  #sameFile(path: string, id: string | undefined): number | undefined {
    const mayBe = (file: number): boolean => id === undefined || (this.#idOf.get(file) ?? id) === id;
    // Relative paths begin at one folder: `x/package.json` is not `package.json`.
    const isOther = (file: number): boolean =>
      this.pathsOf(file).some((known) => isAbsolute.test(known) === isAbsolute.test(path));
    const exact = this.#byPath.get(path);
    if (exact !== undefined && mayBe(exact)) return exact;
    const alike = this.#pathsByBase.get(baseName(path)) ?? [];
    return alike.find(
      ({ path: known, file }) => mayBe(file) && !isOther(file) && (endsWith(known, path) || endsWith(path, known)),
    )?.file;
  }

  #remember(path: string, file: number): void {
    this.#byPath.set(path, file);
    this.#pathsOf.set(file, [...this.pathsOf(file), path]);
    const base = baseName(path);
    const same = this.#pathsByBase.get(base);
    if (same === undefined) this.#pathsByBase.set(base, [{ path, file }]);
    else same.push({ path, file });
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const isAbsolute = /^(?:[/~]|[A-Za-z]:)/;
const endsWith = (long: string, short: string): boolean => long.endsWith(`/${short}`);

/**
 * Whether a call named a file as it lies there, wherever relative paths begin. A name that leads to it through a link may lead
 * to another one by now.
 */
export function namesItself(asked: string, path: string): boolean {
  const parts: string[] = [];
  for (const part of asked.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "" && part !== "~") parts.push(part);
  }
  return `/${path.replaceAll("\\", "/")}`.endsWith(`/${parts.join("/")}`);
}

/** The folder in which a relative path begins that names a file as it lies there; undefined for a path that does not. */
export function folderBefore(path: string, asked: string): string | undefined {
  const parts = asked
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "." && part !== "");
  const end = `/${parts.join("/")}`;
  const whole = `/${path.replaceAll("\\", "/")}`;
  return whole.endsWith(end) && !parts.includes("..") ? whole.slice(1, whole.length - end.length) : undefined;
}

/** The one file that a call names: several, as a search names them, say nothing about which one a path means. */
export const onlyFile = (files: readonly string[]): string | undefined => (files.length === 1 ? files[0] : undefined);
