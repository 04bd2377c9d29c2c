import { writeFileSync } from "node:fs";
import { seededRandom } from "./seeded-random.ts";

/** Model calls of the recording that benchmarks make when none is given: as many as in a long real session. */
const longSessionCalls = 453;

const shape = { callsPerPrompt: 5, files: 24, linesPerFile: 60, seed: 20_261_122 };

/**
 * Writes a Pi session of some thousand characters a call: reads, commands and edits over a few files, the same on every
 * machine.
 */
export function writeGeneratedRecording(path: string, calls: number = longSessionCalls): void {
  const random = seededRandom(shape.seed);
  const lines: string[] = [
    JSON.stringify({ type: "session", version: 3, id: "generated-session", timestamp: stamp(0), cwd: "/generated" }),
  ];
  let parent: string | null = null;
  const entry = (message: object): void => {
    const id = lines.length.toString(16).padStart(8, "0");
    lines.push(JSON.stringify({ type: "message", id, parentId: parent, timestamp: stamp(lines.length), message }));
    parent = id;
  };
  for (let call = 0; call < calls; call += 1) {
    if (call % shape.callsPerPrompt === 0)
      entry({ role: "user", content: [text(sentence(random, 20))], timestamp: call });
    const { name, args, output } = toolUse(random, call);
    const id = `call_${call}`;
    const content = [text(sentence(random, 12)), { type: "toolCall", id, name, arguments: args }];
    entry({
      role: "assistant",
      content,
      provider: "generated",
      model: "generated",
      stopReason: "toolUse",
      timestamp: call,
    });
    entry({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content: [text(output)],
      isError: false,
      timestamp: call,
    });
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
}

function toolUse(random: () => number, call: number): { name: string; args: object; output: string } {
  const file = `src/module-${Math.floor(random() * shape.files)}.ts`;
  const source = Array.from({ length: shape.linesPerFile }, () => codeLine(random));
  switch (call % 3) {
    case 0:
      return { name: "read", args: { path: file }, output: source.slice(0, 20 + Math.floor(random() * 40)).join("\n") };
    case 1: {
      const edits = [{ oldText: source.slice(0, 8).join("\n"), newText: source.slice(8, 18).join("\n") }];
      return { name: "edit", args: { path: file, edits }, output: `Successfully replaced 1 block(s) in ${file}.` };
    }
    default:
      return {
        name: "bash",
        args: { command: `grep -n ${word(random)} ${file}` },
        output: source.slice(0, 12).join("\n"),
      };
  }
}

function codeLine(random: () => number): string {
  return `  const ${word(random)} = ${word(random)}(${word(random)}, ${Math.floor(random() * 1e6)});`;
}

function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => word(random)).join(" ");
}

function word(random: () => number): string {
  const syllables = ["ra", "to", "mi", "ke", "lo", "sun", "per", "val", "dex", "hin", "oru", "pat", "qui", "zen"];
  const count = 2 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}

const text = (value: string) => ({ type: "text", text: value });
const stamp = (place: number): string => new Date(Date.UTC(2026, 0, 1) + place * 1000).toISOString();
