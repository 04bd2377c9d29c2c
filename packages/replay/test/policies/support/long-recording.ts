import type { RecordedEvent, RecordedResult, Recording } from "@cm/recordings";
import { createRandom } from "@cm/testkit";

const files = 6;
const linesPerFile = 160;

/** About 700,000 characters in 49 calls: each file is read, others are looked at, and long after it a line of it is edited. */
export function longRecording(): Recording {
  const events = Array.from({ length: 7 }, (_, turn) => turnOf(turn)).flat();
  return { format: "pi", id: "long", cwd: "/project", systemPrompt: "", events, skippedLines: 0, warnings: [] };
}

function turnOf(turn: number): readonly RecordedEvent[] {
  const file = turn % files;
  const line = lineOf(file, 7 + turn);
  const replaced = { path: pathOf(file), oldText: line, newText: `${line} // seen in turn ${turn}` };
  return [
    { kind: "user", text: `Please go on with task ${turn}.`, attachments: [] },
    ...call(`${turn}-read`, "read", { path: pathOf(file) }, textOf(file)),
    ...[0, 1, 2].flatMap((at) => call(`${turn}-run-${at}`, "bash", { command: `run ${at}` }, outputOf(turn, at))),
    ...call(`${turn}-edit`, "edit", replaced, `Edited ${pathOf(file)}.`),
    ...both(turn),
    { kind: "assistant", text: `Task ${turn} is done.`, thinking: [], calls: [] },
  ];
}

/** Two calls of one answer. */
function both(turn: number): readonly RecordedEvent[] {
  const [one, other] = [
    call(`${turn}-a`, "bash", { command: "a" }, "a"),
    call(`${turn}-b`, "bash", { command: "b" }, "b"),
  ];
  const calls = [one, other].flatMap(([answer]) => (answer?.kind === "assistant" ? answer.calls : []));
  const results = [one, other].flatMap((events) => events.slice(1));
  return [{ kind: "assistant", text: "Both at once.", thinking: [], calls }, ...results];
}

function call(id: string, name: string, args: Record<string, string>, text: string): readonly RecordedEvent[] {
  const result: RecordedResult = { kind: "result", callId: id, tool: name, text, failed: false, attachments: [] };
  return [{ kind: "assistant", text: `Step ${id}.`, thinking: [], calls: [{ id, name, args }] }, result];
}

const pathOf = (file: number): string => `/project/src/part-${file}.ts`;
const lineOf = (file: number, line: number): string =>
  `export const part${file}Value${line} = compute(${line * file});`;
const textOf = (file: number): string =>
  Array.from({ length: linesPerFile }, (_, line) => lineOf(file, line)).join("\n");

function outputOf(turn: number, at: number): string {
  const random = createRandom(turn * 10 + at);
  const lines = Array.from({ length: 530 }, () => `ok ${random.below(1_000_000)} of the checks that were run just now`);
  return [...lines, `log: checks_of_turn_${turn}_run_${at}.txt`].join("\n");
}
