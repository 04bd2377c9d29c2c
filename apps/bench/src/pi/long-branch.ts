// The cost of a request late in a long session of Pi: node dist/pi/long-branch.js STEPS [alone]
//
// Feeds the built extension the events of STEPS requests, around Pi's own session manager and files on the disk: each answer
// has two calls, but the last of a prompt, which as in Pi has none. Prints JSON: LongBranchFigures. `alone`: without the
// extension, for the memory of all else.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { fakePi } from "./fake-pi.ts";
import {
  type AgentMessage,
  answerOf,
  fileText,
  lastAnswerOf,
  payloadOf,
  promptOf,
  resultsOf,
} from "./long-branch-script.ts";
import { Spent } from "./spent.ts";

export interface LongBranchFigures {
  /**
   * The work between a turn and the next request: handlers of `turn_end` where the turn had calls, of `context`,
   * `context_with_system` and `before_provider_request`, until all have answered. Of each request.
   */
  readonly requestMs: readonly number[];
  /** The same time of the processor, of all threads. */
  readonly cpuMs: readonly number[];
  /** Handlers of `turn_end` and `agent_end` behind each prompt's last answer: no request waits for them. */
  readonly lastTurnMs: readonly number[];
  readonly entries: number;
  readonly residentMb: number;
  readonly heapMb: number;
}

type Answered = { readonly messages: AgentMessage[] } | undefined;

const files = 300;
/** Until everything that does not wait for the disk has had its turn. */
const idle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
};
const perPrompt = 12;

const steps = Number(process.argv[2] ?? 2_000);
const isAlone = process.argv[3] === "alone";
const folder = mkdtempSync(join(tmpdir(), "cm-long-branch-"));
process.env.PI_CODING_AGENT_DIR = join(folder, "agent");
try {
  process.stdout.write(`${JSON.stringify(await run())}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function run(): Promise<LongBranchFigures> {
  const cwd = join(folder, "work");
  for (let part = 0; part < 10; part += 1) mkdirSync(join(cwd, `part-${part}`), { recursive: true });
  for (let n = 0; n < files; n += 1) writeFileSync(join(cwd, `part-${n % 10}/file-${n}.ts`), fileText(n));
  const manager = SessionManager.inMemory(cwd);
  const pi = isAlone ? undefined : await fakePi(manager, cwd);
  await pi?.fire("session_start", { reason: "startup" });
  const messages: AgentMessage[] = [];
  const say = (message: Parameters<typeof manager.appendMessage>[0]) => {
    manager.appendMessage(message);
    messages.push(message);
  };
  const requestMs: number[] = [];
  const cpuMs: number[] = [];
  const lastTurnMs: number[] = [];
  let spent = new Spent();
  for (let step = 0; step < steps; step += 1) {
    if (step % perPrompt === 0) say(promptOf(step));
    // Pi gives each handler a copy of its own.
    const given = structuredClone(messages);
    const answered = await spent.on(async () => {
      const first = (await pi?.fire("context", { messages: given })) as Answered;
      return pi?.fire("context_with_system", { messages: first?.messages ?? given });
    });
    const payload = payloadOf((answered as Answered)?.messages ?? []);
    await spent.on(() => pi?.fire("before_provider_request", { payload }));
    requestMs.push(spent.ms);
    cpuMs.push(spent.cpuMs);
    spent = new Spent();
    const isLast = step % perPrompt === perPrompt - 1;
    const answer = isLast ? lastAnswerOf(step) : answerOf(step, files);
    // The model takes longer to answer than whatever is done meanwhile.
    await pi?.fire("message_start", { message: answer });
    await idle();
    say(answer);
    for (const result of isLast ? [] : resultsOf(step, files)) say(result);
    await spent.on(() => pi?.fire("turn_end"));
    if (!isLast) continue;
    await spent.on(() => pi?.fire("agent_end"));
    lastTurnMs.push(spent.ms);
    spent = new Spent();
  }
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  await pi?.fire("session_shutdown", { reason: "quit" });
  const figures = { requestMs, cpuMs, lastTurnMs, entries: manager.getBranch().length };
  return { ...figures, residentMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 };
}
