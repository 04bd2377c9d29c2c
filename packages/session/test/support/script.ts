import type { AssembleOptions, FileTouch, IncomingResult, IncomingUser, SetCommand, StepRecord } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { at } from "./map-source.ts";

/** What happens in a session, as data: the same script can be played in two ways and compared. */
export type Action =
  | { readonly do: "receive"; readonly messages: readonly (IncomingUser | IncomingResult)[] }
  | { readonly do: "assemble"; readonly options: AssembleOptions }
  | { readonly do: "record"; readonly record: StepRecord }
  | { readonly do: "command"; readonly command: SetCommand }
  /** The outside world: a file is written, deleted, or goes out of reach. */
  | { readonly do: "write"; readonly path: string; readonly text: string | undefined }
  | { readonly do: "unplug"; readonly path: string; readonly unplugged: boolean }
  | { readonly do: "mount"; readonly displayRoot: string }
  /** Another session of the same store reads a file. */
  | { readonly do: "foreign read"; readonly path: string };

const paths = ["/a.ts", "/b.md", "/c", "/d/e.json"];
const callIds = ["call_0", "call_1", "call_1", "t1", "f1", "__proto__", "step:s:0", "", "x@s"];
const commandIds = [
  "f1",
  "f2",
  "f3",
  "t1",
  "t2",
  "t5",
  "t9",
  "call_1",
  "session:s",
  "__proto__",
  "constructor",
  "nobody",
];
const words = ["one", "two", "drei", "\ud800", "vier\nfünf", "", "[erased]"];

/** Ends with a step, so that nothing is left open. */
export function randomScript(random: Random, steps: number): readonly Action[] {
  const script: Action[] = [];
  let recorded = 0;
  while (recorded < steps) {
    const action = randomAction(random);
    if (action.do === "record") {
      recorded += 1;
      script.push({ do: "assemble", options: {} });
      if (random.chance(0.3)) script.push({ do: "command", command: randomCommand(random) });
      if (random.chance(0.1))
        script.push({ do: "receive", messages: [randomUser(random)] }, { do: "assemble", options: {} });
    }
    script.push(action);
  }
  return script;
}

function randomAction(random: Random): Action {
  const path = random.pick(paths);
  const kind = random.below(16);
  if (kind < 6) return { do: "record", record: randomRecord(random) };
  if (kind < 8) return { do: "receive", messages: several(random, 3, () => randomIncoming(random)) };
  if (kind < 10) return { do: "command", command: randomCommand(random) };
  if (kind < 11) return { do: "assemble", options: randomOptions(random) };
  if (kind < 13) return { do: "write", path, text: random.chance(0.15) ? undefined : randomText(random) };
  if (kind < 14) return { do: "unplug", path, unplugged: random.chance(0.4) };
  if (kind < 15) return { do: "foreign read", path };
  return { do: "mount", displayRoot: random.pick(["/", "/workspace/", "/mnt/"]) };
}

/** A change of the files between two steps. */
export function randomOutsideAction(random: Random): Action {
  const path = random.pick(paths);
  if (random.chance(0.2)) return { do: "foreign read", path };
  if (random.chance(0.25)) return { do: "unplug", path, unplugged: random.chance(0.5) };
  return { do: "write", path, text: random.chance(0.2) ? undefined : randomText(random) };
}

export function randomCommand(random: Random): SetCommand {
  const action = random.pick(["activate", "deactivate", "pin", "unpin", "show", "hide"] as const);
  return { action, id: random.pick(commandIds) };
}

function randomOptions(random: Random): AssembleOptions {
  return {
    cache: random.pick(["warm", "cold"]),
    ...(random.chance(0.5) ? { systemPrompt: `You are ${random.pick(words)}.` } : {}),
  };
}

function randomRecord(random: Random): StepRecord {
  const calls = several(random, 4, () => ({
    callId: random.pick(callIds),
    tool: random.pick(["read", "bash", "edit"]),
    args: randomArgs(random),
  }));
  const results = calls.filter(() => random.chance(0.8)).map(({ callId }) => randomResult(random, callId));
  if (random.chance(0.1)) results.push(randomResult(random, "of nobody"));
  return {
    answer: {
      role: "assistant",
      text: random.pick(words),
      calls,
      ...(random.chance(0.3) ? { thinking: [{ text: random.pick(words), signature: "sig" }] } : {}),
      ...(random.chance(0.3) ? { model: "m", stopReason: "tool" } : {}),
    },
    results,
    ...(random.chance(0.5) ? { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } } : {}),
  };
}

function randomArgs(random: Random): JsonObject {
  return JSON.parse(random.pick(['{"path":"/a.ts"}', '{"__proto__":{"x":[1,null]}}', "{}", '{"n":1.5,"deep":[[[]]]}']));
}

function randomIncoming(random: Random): IncomingUser | IncomingResult {
  return random.chance(0.6) ? randomUser(random) : randomResult(random, random.pick(callIds));
}

function randomUser(random: Random): IncomingUser {
  return {
    role: "user",
    text: randomText(random),
    ...(random.chance(0.1) ? { attachments: [{ mime: "image/png", data: new Uint8Array([random.below(3)]) }] } : {}),
  };
}

function randomResult(random: Random, callId: string): IncomingResult {
  return {
    role: "tool",
    callId,
    text: random.chance(0.1) ? null : randomText(random),
    failed: random.chance(0.2),
    files: several(random, 3, () => randomTouch(random)),
    ...(random.chance(0.1) ? { attachments: [{ mime: "image/png", data: new Uint8Array([random.below(3)]) }] } : {}),
  };
}

function randomTouch(random: Random): FileTouch {
  return {
    binding: at(random.pick(paths)),
    as: random.pick(["read", "edited", "discovered"]),
    ...(random.chance(0.6) ? { span: { startLine: 1 + random.below(9) } } : {}),
  };
}

function randomText(random: Random): string {
  return several(random, 6, () => random.pick(words)).join(" ");
}

function several<T>(random: Random, bound: number, make: () => T): T[] {
  return Array.from({ length: random.below(bound) }, make);
}
