import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultFolder } from "@cm/experiments/example/default-folder";

export interface TreeShape {
  readonly files: number;
  readonly filesPerFolder: number;
  /** Sizes are drawn evenly on a logarithmic scale between these. */
  readonly bytesMin: number;
  readonly bytesMax: number;
}

/** About what a large project with its dependencies has: the mean is 7.8 KB. */
export const largeTree: TreeShape = { files: 32_000, filesPerFolder: 12, bytesMin: 400, bytesMax: 40_000 };

/**
 * Writes a tree of text files: pieces of this project's own sources, each with a line that no other has. The same
 * sources give the same tree. Returns the number of bytes.
 */
export function writeTree(root: string, { files, filesPerFolder, bytesMin, bytesMax }: TreeShape): number {
  const text = sourceText(defaultFolder(), 4 * bytesMax);
  let written = 0;
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let n = 0; n < files; n += 1) {
    const folder = join(root, `part-${Math.floor(n / filesPerFolder / 50)}`, `unit-${Math.floor(n / filesPerFolder)}`);
    if (n % filesPerFolder === 0) mkdirSync(folder, { recursive: true });
    const length = Math.round(bytesMin * (bytesMax / bytesMin) ** next());
    const from = Math.floor(next() * (text.length - length));
    const content = `// file ${n}\n${text.slice(from, from + length)}`;
    writeFileSync(join(folder, `module-${n}.ts`), content);
    written += content.length;
  }
  return written;
}

/** The folder's files one after the other, again and again up to the length. ASCII, so that a unit is a byte. */
function sourceText(folder: string, length: number): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort();
  const once = files
    .map((path) => readFileSync(join(folder, path), "latin1"))
    .join("\n")
    .replace(/[^\x20-\x7e\n]/g, "?");
  return once.repeat(Math.ceil(length / once.length));
}
