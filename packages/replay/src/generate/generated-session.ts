import { GeneratedProject, type ToolUse } from "./generated-project.ts";
import { Draw } from "./seeded-random.ts";

export interface GeneratedSession {
  readonly seed: number;
  /** Model calls. */
  readonly calls: number;
  /** The size of each file. */
  readonly lines?: number;
}

const shape = { files: 14, lines: 90 };

/**
 * A Pi session made from a seed, as JSON lines: an agent that reads, searches, tests and edits what it has read. Edits
 * need text that was shown, calls cite names that only tools told, and users make pauses. The same seed gives the same
 * bytes on every machine.
 */
export function generatedSession({ seed, calls, lines = shape.lines }: GeneratedSession): string {
  const draw = new Draw(seed);
  const project = new GeneratedProject(draw, { files: shape.files, linesPerFile: lines });
  const journal = new JournalLines(`generated-${seed}`);
  let path = draw.of(project.paths);
  let told: readonly string[] = [];
  for (let call = 0, left = 0; call < calls; call += 1, left -= 1) {
    if (left <= 0) {
      left = draw.number(3, 14);
      path = draw.of(project.paths);
      journal.wait(draw.chance(0.2) ? draw.number(300, 1_500) : draw.number(10, 120));
      journal.add({ role: "user", content: [text(`Please change how ${project.name()} works in ${path}.`)] });
    }
    const use = toolUse(project, draw, path);
    const name = told.length > 0 && draw.chance(0.4) ? ` because of ${draw.of(told)}` : "";
    told = namesInOutput(use);
    journal.call(`call_${call}`, use, `I look at ${use.name}${name}.`);
    journal.wait(draw.number(3, 30));
  }
  return journal.text;
}

function toolUse(project: GeneratedProject, draw: Draw, path: string): ToolUse {
  const choice = draw.number(1, 10);
  if (choice <= 3) return project.read(path);
  if (choice <= 7) return project.edit(path);
  return choice === 8 ? project.search() : project.test(path);
}

/** Some of what the newest output has, for the next call to speak of. */
function namesInOutput({ output }: ToolUse): readonly string[] {
  return (output.match(/\b[a-z]+[A-Z][a-z]+\d+\b/g) ?? []).slice(-5);
}

/** The lines of a session file; each entry follows the one before. */
class JournalLines {
  readonly #lines: string[] = [];
  #parent: string | null = null;
  #second = 0;

  constructor(id: string) {
    this.#lines.push(JSON.stringify({ type: "session", version: 3, id, timestamp: this.#stamp(), cwd: "/generated" }));
  }

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  wait(seconds: number): void {
    this.#second += seconds;
  }

  call(id: string, { name, args, output }: ToolUse, said: string): void {
    const content = [text(said), { type: "toolCall", id, name, arguments: args }];
    this.add({ role: "assistant", content, provider: "generated", model: "generated", stopReason: "toolUse" });
    this.add({ role: "toolResult", toolCallId: id, toolName: name, content: [text(output)], isError: false });
  }

  add(message: object): void {
    const id = this.#lines.length.toString(16).padStart(8, "0");
    this.#second += 1;
    const timed = { ...message, timestamp: this.#second * 1_000 };
    this.#lines.push(
      JSON.stringify({ type: "message", id, parentId: this.#parent, timestamp: this.#stamp(), message: timed }),
    );
    this.#parent = id;
  }

  #stamp(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#second * 1_000).toISOString();
  }
}

const text = (value: string) => ({ type: "text", text: value });
