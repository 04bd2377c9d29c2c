// Writes a session of many steps and opens it again, on the way and at its end: `node opening-session.js FOLDER STEPS`.
import { join } from "node:path";
import type { Layout, RenderedPrompt, Renderer } from "@cm/context-log";
import { openSession, rebuildPrompt } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";

/** The output of the process, as one line of JSON. */
export interface OpeningFigures {
  readonly earlyAt: number;
  /** Milliseconds of each opening: after the first steps, and after all. */
  readonly earlyMs: readonly number[];
  readonly lateMs: readonly number[];
  /** One past prompt of the newest steps, and one of the first. */
  readonly pastLateMs: readonly number[];
  readonly pastEarlyMs: readonly number[];
}

const rounds = 5;
const earlyAt = 200;
const [folder = "", stepsText = "20000"] = process.argv.slice(2);
const steps = Number(stepsText);
const store = openSqliteStore({ path: join(folder, "opening.sqlite") });
const text = "a line of output that stands for what a tool says\n".repeat(8);

/** Renders the newest entry alone: what is measured is what a session reads, and not what it shows. */
const renderer: Renderer = {
  contract: "renderer/1",
  layout: "newest/1",
  residency: "rendered",
  render({ log }): RenderedPrompt {
    const said = `${log.length}`;
    const messages = [{ id: said, role: "user" as const, text: said, chars: said.length }];
    return { layout: "newest/1", system: "", messages, chars: said.length, kept: { messages: 0, chars: 0 } };
  },
};
const layout: Layout = { policy: { contract: "policy/1", name: "none", decide: () => ({}) }, renderer };
const open = () => openSession({ store, layout, session: "long" });

async function write(from: number, to: number): Promise<void> {
  const session = await open();
  for (let n = from; n < to; n += 1) {
    if (n % 20 === 0) await session.receive([{ role: "user", text: `prompt ${n}` }]);
    await session.assemble();
    const call = { callId: `call_${n}`, tool: "bash", args: { command: `run ${n}` } };
    await session.record({
      answer: { role: "assistant", text: `I run ${n}.`, calls: [call] },
      results: [{ role: "tool", callId: call.callId, text: `${n} ${text}`, failed: false, files: [] }],
    });
  }
  await session.abandon();
}

async function timed(task: () => Promise<unknown>): Promise<readonly number[]> {
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await task();
    ms.push(performance.now() - started);
  }
  return ms;
}

const opening = () => timed(async () => (await open()).abandon());
const past = (n: number) => timed(() => rebuildPrompt(store, { session: "long", n }, () => renderer));

await write(0, earlyAt);
const earlyMs = await opening();
await write(earlyAt, steps);
const figures: OpeningFigures = {
  earlyAt,
  earlyMs,
  lateMs: await opening(),
  pastLateMs: await past(steps - 1),
  pastEarlyMs: await past(earlyAt - 1),
};
await store.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);
