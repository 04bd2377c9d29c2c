import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileTouch, StepRecord } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import { Draw } from "@cm/replay/generated";
import type { FilesystemSource } from "@cm/sources-fs";

/**
 * Work that is at its end what it was at its beginning: reads, edits and test runs over the same files, some at a time. So
 * many that a young session has met them, too: what a look at more files costs is measured elsewhere.
 */
const shape = { files: 50, linesPerFile: 90, callsPerPrompt: 7, stepsPerPlan: 7, filesPerPlan: 4, editedLines: 2 };

const verbs = ["load", "parse", "render", "commit", "resolve", "collect", "measure", "encode", "observe", "release"];
const things = ["Session", "Window", "Ledger", "Branch", "Cursor", "Mount", "Secret", "Timer", "Fold", "Anchor"];

interface WorkedFile {
  readonly path: string;
  readonly lines: string[];
}

interface Use {
  readonly tool: string;
  readonly args: JsonObject;
  readonly text: string;
  readonly touch?: FileTouch["as"];
}

/** An agent's steps on files that are there. The same for every store and window. */
export class FlatScript {
  readonly #draw = new Draw(20_261_123);
  readonly #files: readonly WorkedFile[];
  readonly #root: string;
  readonly #source: Pick<FilesystemSource, "bind">;
  #plan: readonly WorkedFile[] = [];
  #step = 0;

  constructor(root: string, source: Pick<FilesystemSource, "bind">) {
    this.#root = root;
    this.#source = source;
    this.#files = Array.from({ length: shape.files }, (_, n) => ({
      path: join(root, `src/part-${n % 10}/module-${n}.ts`),
      lines: Array.from({ length: shape.linesPerFile }, () => this.#line()),
    }));
    for (const file of this.#files) write(file);
  }

  /** The user's prompt before the next step; undefined within a turn. */
  prompt(): string | undefined {
    if (this.#step % shape.callsPerPrompt !== 0) return undefined;
    return `Please change how ${this.#name()} works, and keep ${this.#name()} as it is.`;
  }

  async step(): Promise<StepRecord> {
    if (this.#step % shape.stepsPerPlan === 0)
      this.#plan = Array.from({ length: shape.filesPerPlan }, () => this.#draw.of(this.#files));
    const file = this.#draw.of(this.#plan);
    const { tool, args, text, touch } = this.#use(file);
    const callId = `toolu_${String(this.#step++).padStart(24, "0")}`;
    const files = touch === undefined ? [] : [{ binding: await this.#source.bind(file.path, this.#root), as: touch }];
    return {
      answer: { role: "assistant", text: `I look at ${this.#name()} now.`, calls: [{ callId, tool, args }] },
      results: [{ role: "tool", callId, text, failed: false, files }],
    };
  }

  #use(file: WorkedFile): Use {
    const { path, lines } = file;
    const choice = this.#draw.number(1, 100);
    if (choice <= 35) {
      const limit = this.#draw.number(20, lines.length);
      const shown = lines.slice(0, limit).map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
      return { tool: "read", args: { path, offset: 1, limit }, text: shown.join("\n"), touch: "read" };
    }
    if (choice <= 65) return this.#edit(file);
    const tests = Array.from({ length: this.#draw.number(3, 90) }, (_, at) => {
      return `  ok ${at + 1} - ${this.#name()} keeps ${this.#draw.of(things)} (${this.#draw.number(1, 900)} ms)`;
    });
    return { tool: "bash", args: { command: `npm test -- ${path}` }, text: tests.join("\n") };
  }

  #edit(file: WorkedFile): Use {
    const { path, lines } = file;
    const at = this.#draw.number(0, lines.length - shape.editedLines);
    const after = Array.from({ length: shape.editedLines }, () => this.#line());
    const before = lines.splice(at, shape.editedLines, ...after);
    write(file);
    const edits = [{ oldText: before.join("\n"), newText: after.join("\n") }];
    return { tool: "edit", args: { path, edits }, text: `Replaced 1 block in ${path}.`, touch: "edited" };
  }

  #name(): string {
    return `${this.#draw.of(verbs)}${this.#draw.of(things)}${this.#draw.number(1, 99)}`;
  }

  #line(): string {
    return `  const ${this.#name()} = ${this.#name()}(${this.#name()}, ${this.#draw.number(1, 1e6)});`;
  }
}

function write({ path, lines }: WorkedFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}
