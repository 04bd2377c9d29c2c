import type { JsonObject, ScriptedAnswer } from "@cm/scripted-models/real-pi";
import { codeText } from "./code-text.ts";
import type { ReadStep, ScriptedPrompt } from "./session-script.ts";

/** Which files the prompts of a script read: the same ones in each, new ones in each, or of every second file a new one. */
export type FilesRead = "same" | "new" | "mixed";

/** All that a Pi and its scripted model need to play a script. */
export interface PlannedSession {
  /** The work folder at the start: content by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly prompts: readonly string[];
  readonly answers: readonly ScriptedAnswer[];
  /** What the model must have in view to write an answer: the old texts of its edits, by the answer's number. */
  readonly needed: ReadonlyMap<number, string>;
}

/** Plays the script ahead, since an edit's old text is what the file says by then. @throws Error where it does not */
export function planSession(script: readonly ScriptedPrompt[], read: FilesRead): PlannedSession {
  const plan = new Plan(read);
  for (const [number, { steps, end }] of script.entries()) {
    for (const step of steps) plan.step(step, number);
    plan.answers.push({ text: end });
  }
  return { ...plan, prompts: script.map(({ text }) => text) };
}

class Plan {
  readonly files: Record<string, string> = {};
  readonly answers: ScriptedAnswer[] = [];
  readonly needed = new Map<number, string>();
  readonly #read: FilesRead;
  readonly #now = new Map<string, string>();
  /** By a script's path, the file that was read for it last. */
  readonly #newest = new Map<string, string>();

  constructor(read: FilesRead) {
    this.#read = read;
  }

  step({ read, edit }: ReadStep, prompt: number): void {
    const calls: { readonly name: string; readonly args: JsonObject }[] = [];
    const path = this.#pathOf(read, prompt);
    if (!this.#now.has(path)) this.#create(path);
    calls.push({ name: "read", args: { path } });
    if (edit !== undefined) calls.push({ name: "edit", args: this.#edited(this.#newest.get(edit.path), edit.line) });
    this.#newest.set(read, path);
    const number = this.answers.length;
    // Some models think aloud, and not each time.
    const thinking = number % 3 === 0 ? { thinking: `What ${path} does with it decides where the fault lies.` } : {};
    this.answers.push({ text: `I look at ${path}.`, ...thinking, calls });
  }

  #pathOf(path: string, prompt: number): string {
    const isNew = this.#read === "new" || (this.#read === "mixed" && path.length % 2 === 0);
    return isNew ? path.replace("/", `/part-${prompt + 1}/`) : path;
  }

  #create(path: string): void {
    const text = codeText(path);
    this.files[path] = text;
    this.#now.set(path, text);
  }

  #edited(path: string | undefined, line: number): JsonObject {
    const text = this.#now.get(path ?? "");
    if (path === undefined || text === undefined) throw new Error("A script edits only what it has read.");
    const lines = text.split("\n").slice(line - 1, line + 2);
    const oldText = lines.join("\n");
    if (text.split(oldText).length !== 2) throw new Error(`Line ${line} of ${path} is not the only one of its kind.`);
    const number = this.answers.length;
    const newText = [lines[0], `// Changed in request ${number}: see the prompt.`, ...lines.slice(1)].join("\n");
    this.#now.set(
      path,
      text.replace(oldText, () => newText),
    );
    this.needed.set(number, oldText);
    return { path, edits: [{ oldText, newText }] };
  }
}
