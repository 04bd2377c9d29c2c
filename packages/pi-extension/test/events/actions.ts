import {
  type PiHome,
  type Play,
  type Rpc,
  type ScriptedAnswer,
  type ScriptedCall,
  wireFormats,
} from "@cm/scripted-models/real-pi";
import type { Random } from "@cm/testkit";

/** A Pi that a seed drives. */
export interface Driven {
  readonly rpc: Rpc;
  readonly play: Play;
  readonly home: PiHome;
  readonly random: Random;
}

export type Action = (driven: Driven) => Promise<unknown>;

const pick = <T>(random: Random, all: readonly T[]): T => all[random.below(all.length)] as T;

const calls: Readonly<Record<string, ScriptedCall>> = {
  read: { name: "read", args: { path: "a.txt" } },
  empty: { name: "read", args: { path: "empty.txt" } },
  missing: { name: "read", args: { path: "missing.txt" } },
  picture: { name: "read", args: { path: "dot.png" } },
  write: { name: "write", args: { path: "new.txt", content: "[t1] new\n</t1>\n" } },
  edit: { name: "edit", args: { path: "a.txt", edits: [{ oldText: "alpha", newText: "alpha" }] } },
  unknown: { name: "cm_no_such_tool", args: {} },
  invalid: { name: "read", args: { file: 7 } },
  garbage: { name: "read", args: '{"path": "a.t' },
  fails: { name: "bash", args: { command: "echo loud; exit 3" } },
  blocked: { name: "bash", args: { command: "echo forbidden" } },
  quiet: { name: "bash", args: { command: "true" } },
};

const said: ScriptedAnswer = { text: "That is it: ünïcode 🎉 [t1] {{call_1}}" };
const sleeps: ScriptedAnswer = {
  text: "I wait.",
  calls: [{ name: "bash", args: { command: "touch begun; sleep 0.2" } }],
};

const prompted = ({ rpc, play, random }: Driven, ...script: readonly ScriptedAnswer[]) => {
  play.next(script);
  return rpc.prompt(`Prompt ${random.below(1_000)}`);
};

/** What people, models and other extensions do. */
export const actions: Readonly<Record<string, Action>> = {
  "one call": (driven) => {
    const call = pick(driven.random, Object.values(calls));
    return prompted(driven, { thinking: "Which one?", calls: [call] }, said);
  },
  "parallel calls": (driven) => {
    const some = Array.from({ length: 2 + driven.random.below(4) }, () => pick(driven.random, Object.values(calls)));
    return prompted(driven, { text: "All at once.", calls: some }, said);
  },
  "ids that were there": (driven) => {
    const same = { calls: [{ id: "call_same", ...(calls.read as ScriptedCall) }] };
    return prompted(driven, same, same, said);
  },
  "a picture": async ({ rpc, play }) => {
    play.next([said]);
    await rpc.prompt("Look at this.", { images: [{ type: "image", data: dot, mimeType: "image/png" }] });
  },
  "an abort of an answer": async ({ rpc, play }) => {
    play.next([{ text: "I begin and never", end: "stall" }]);
    const from = rpc.records.length;
    await rpc.start("Stop me.");
    await rpc.until("its first words", (record) => JSON.stringify(record).includes("I begin"), from);
    await rpc.ask("abort");
    await rpc.settled(from);
  },
  // Without a read beside it: Pi 1.5.2 ends where an abort meets that.
  "an abort of a call": async ({ rpc, play }) => {
    play.next([{ calls: [{ name: "bash", args: { command: "sleep 600" } }, calls.fails as ScriptedCall] }]);
    const from = rpc.records.length;
    await rpc.start("Stop the call.");
    await rpc.until("the call", ({ type }) => type === "tool_execution_start", from);
    await rpc.ask("abort");
    await rpc.settled(from);
  },
  "an answer that breaks off": (driven) => prompted(driven, { text: "I am cut", end: "cut" }, said, said, said),
  "a steering word": async ({ rpc, play }) => {
    play.next([sleeps, said, said]);
    const from = rpc.records.length;
    await rpc.start("Take your time.");
    await rpc.until("the call", ({ type }) => type === "tool_execution_start", from);
    await rpc.ask("steer", { message: "Faster!" });
    await rpc.settled(from);
  },
  "a word for later": async ({ rpc, play }) => {
    play.next([sleeps, said, said, said]);
    const from = rpc.records.length;
    await rpc.start("First this.");
    await rpc.until("the call", ({ type }) => type === "tool_execution_start", from);
    await rpc.ask("follow_up", { message: "Then that." });
    await rpc.settled(from);
  },
  "a provider's error": (driven) => prompted(driven, { error: { status: 400, body: "no" } }),
  "a request sent again": (driven) => prompted(driven, { error: { status: 503, body: "later" } }, said),
  "a cut answer": (driven) =>
    prompted(driven, { text: "Too long", calls: [calls.read as ScriptedCall], stop: "length" }, said, said),
  "an answer without a count": (driven) => prompted(driven, { ...said, usage: "none" }),
  "an empty answer": (driven) => prompted(driven, {}, said),
  "a command of the user": ({ rpc, random }) => rpc.ask("bash", { command: pick(random, ["echo mine", "exit 4"]) }),
  "a command apart": ({ rpc }) => rpc.ask("bash", { command: "echo apart", excludeFromContext: true }),
  "a message of another extension": ({ rpc }) => rpc.command("/other-say Remember the milk."),
  "another model": ({ rpc, random }) => {
    return rpc.ask("set_model", { provider: `scripted-${pick(random, wireFormats)}`, modelId: "scripted" });
  },
  "another level of thinking": ({ rpc, random }) =>
    rpc.ask("set_thinking_level", { level: pick(random, ["off", "low", "high"]) }),
  "a compaction": ({ rpc }) => rpc.ask("compact", { customInstructions: "Keep the names." }).catch(refused),
  "back in the tree": (driven) => backInTree(driven, ""),
  "back with a summary": (driven) => backInTree(driven, " summary"),
  "a fork": async ({ rpc, random }) => {
    const { messages } = await rpc.ask("get_fork_messages");
    const entries = (messages as readonly { readonly entryId: string }[]) ?? [];
    if (entries.length > 0) await rpc.ask("fork", { entryId: pick(random, entries).entryId });
  },
  "a new session": ({ rpc }) => rpc.ask("new_session"),
  "an older session": async ({ rpc, home, random }) => {
    const files = await home.sessionFiles();
    if (files.length > 0) await rpc.ask("switch_session", { sessionPath: pick(random, files) });
  },
  "a reload": ({ rpc }) => rpc.command("/probe-reload"),
};

/** Pi refuses to compact what is short. */
const refused = (): void => {};

async function backInTree({ rpc, random }: Driven, how: string): Promise<void> {
  const { entries } = await rpc.ask("get_entries");
  const found = ((entries ?? []) as readonly { readonly id: string; readonly type: string }[]).filter(
    ({ type }) => type === "message",
  );
  if (found.length > 0) await rpc.command(`/probe-tree ${pick(random, found).id}${how}`);
}

/** One pixel. */
export const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
