import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../../../..");
const generated = new Set(["node_modules", "dist", "coverage", "target", ".git", ".nx", ".changeset"]);
const isText = /\.(?:[cm]?[jt]s|json|md|ya?ml|css|html|clj|edn|java|xml|sh|txt)$|^LICENSE$/;
const bytesMax = 300_000;

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Text files of this repository as people wrote them, in a fixed order. */
export function committedFiles(): readonly TextFile[] {
  return textFiles(repository, (entry) => !generated.has(entry.name));
}

/** Every n-th text file of the packages that this repository depends on, in a fixed order. */
export function dependedFiles(count: number): readonly TextFile[] {
  const paths = pathsBelow(join(repository, "node_modules/.pnpm"), () => true);
  const step = Math.max(1, Math.floor(paths.length / (count * 1.2)));
  const some = paths.filter((_, n) => n % step === 0);
  return some.flatMap(readIfText).slice(0, count);
}

function textFiles(folder: string, enter: (entry: Dirent) => boolean): readonly TextFile[] {
  return pathsBelow(folder, enter).flatMap(readIfText);
}

function pathsBelow(folder: string, enter: (entry: Dirent) => boolean): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return enter(entry) ? pathsBelow(path, enter) : [];
    return entry.isFile() && isText.test(entry.name) ? [path] : [];
  });
}

function readIfText(path: string): readonly TextFile[] {
  const size = statSync(path).size;
  return size === 0 || size > bytesMax
    ? []
    : [{ path: path.slice(repository.length + 1), text: readFileSync(path, "utf8") }];
}
