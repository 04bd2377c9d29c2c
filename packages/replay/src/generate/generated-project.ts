import type { Draw } from "./seeded-random.ts";

const verbs = ["load", "parse", "render", "commit", "resolve", "collect", "measure", "encode", "observe", "release"];
const things = ["Session", "Window", "Ledger", "Branch", "Cursor", "Mount", "Secret", "Timer", "Fold", "Anchor"];
const folders = ["src", "src/store", "src/render", "test"];

/** The result of a call. */
export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/** Files that exist only in a generated session. What is read, searched and edited agrees with each other. */
export class GeneratedProject {
  readonly #draw: Draw;
  readonly #files = new Map<string, string[]>();
  /** Lines that were printed since they came to be, by file. */
  readonly #printed = new Map<string, Set<string>>();

  constructor(draw: Draw, shape: { readonly files: number; readonly linesPerFile: number }) {
    this.#draw = draw;
    for (let file = 0; file < shape.files; file += 1) {
      const path = `${draw.of(folders)}/${this.name()}.ts`;
      this.#files.set(
        path,
        Array.from({ length: shape.linesPerFile }, () => this.#line()),
      );
    }
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** An identifier. */
  name(): string {
    return `${this.#draw.of(verbs)}${this.#draw.of(things)}${this.#draw.number(1, 99)}`;
  }

  read(path: string): ToolUse {
    const lines = this.#lines(path);
    const offset = this.#draw.chance(0.5) ? 1 : this.#draw.number(1, lines.length);
    const limit = this.#draw.number(20, lines.length);
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    this.#print(path, shown);
    const output = shown.map((line, place) => `${String(offset + place).padStart(6)}\t${line}`).join("\n");
    return { name: "read", args: { path, offset, limit }, output };
  }

  search(): ToolUse {
    const pattern = `${this.#draw.of(verbs)}${this.#draw.of(things)}`;
    const hits = this.paths.flatMap((path) => {
      const found = this.#lines(path).flatMap((line, at) => (line.includes(pattern) ? [{ line, at }] : []));
      this.#print(
        path,
        found.map(({ line }) => line),
      );
      return found.map(({ line, at }) => `${path}:${at + 1}:${line}`);
    });
    return { name: "bash", args: { command: `grep -rn ${pattern} .` }, output: hits.join("\n") };
  }

  /** Output of many lines of which only a few names are needed later. */
  test(path: string): ToolUse {
    const lines = Array.from({ length: this.#draw.number(10, 80) }, (_, at) => {
      return `  ok ${at + 1} - ${this.name()} keeps ${this.#draw.of(things)} (${this.#draw.number(1, 900)} ms)`;
    });
    const failed = this.#draw.chance(0.3) ? [`not ok - expected ${this.name()} in ${path}`] : [];
    return { name: "bash", args: { command: `npm test -- ${path}` }, output: [...lines, ...failed].join("\n") };
  }

  /** Replaces lines that were printed before; a read where none of the file's was. */
  edit(path: string): ToolUse {
    const lines = this.#lines(path);
    const printed = this.#printed.get(path) ?? new Set();
    const known = lines.flatMap((line, at) => (printed.has(line) ? [at] : []));
    if (known.length === 0) return this.read(path);
    const at = this.#draw.of(known);
    const count = this.#draw.number(1, 3);
    const fresh = Array.from({ length: this.#draw.number(1, 4) }, () => this.#line());
    const oldText = lines.splice(at, count, ...fresh).join("\n");
    this.#print(path, fresh);
    const args = { path, edits: [{ oldText, newText: fresh.join("\n") }] };
    return { name: "edit", args, output: `Successfully replaced 1 block(s) in ${path}.` };
  }

  #lines(path: string): string[] {
    return this.#files.get(path) ?? [];
  }

  #print(path: string, lines: readonly string[]): void {
    const printed = this.#printed.get(path) ?? new Set();
    for (const line of lines) printed.add(line);
    this.#printed.set(path, printed);
  }

  #line(): string {
    const text = this.#draw.chance(0.2) ? `"${this.#draw.of(things)}\\t${this.#draw.number(1, 1e6)}"` : this.name();
    return `  const ${this.name()} = ${this.name()}(${text}, ${this.#draw.number(0, 1e9)});`;
  }
}
