import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSessions } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { openSqliteStore } from "@cm/store-sqlite";
import { contextManager } from "../../src/extension.ts";
import { promptFaults } from "./legal-prompt.ts";
import { type ContextAnswer, RecordedPi } from "./recorded-pi.ts";
import { folderMark, type RecordedEvent, type Recording } from "./recording.ts";

export interface Replayed {
  /** Requests that were made. */
  readonly requests: number;
  /** What was wrong, one sentence each. */
  readonly faults: readonly string[];
  /** What a verification of the database found. */
  readonly findings: readonly unknown[];
  /** Steps of all sessions. */
  readonly steps: number;
}

/** Tells the extension everything again that a real Pi told once. @throws what a handler throws */
export async function replay(given: Recording): Promise<Replayed> {
  const folder = await mkdtemp(join(tmpdir(), "cm-replay-"));
  const recording: Recording = JSON.parse(JSON.stringify(given).replaceAll(folderMark, folder));
  try {
    return await inFolder(folder, () => replayed(recording, folder));
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

async function replayed(recording: Recording, folder: string): Promise<Replayed> {
  const faults: string[] = [];
  let requests = 0;
  let pi: RecordedPi | undefined;
  for (const recorded of recording.events) {
    const { session, leaf, type, context } = recorded;
    // Each session, also after /reload, has an instance of the extension to itself.
    if (type === "session_start" && pi === undefined) {
      pi = new RecordedPi(recording, session, folder);
      contextManager(pi.api);
    }
    if (pi === undefined) continue;
    pi.leaf = leaf;
    let answers = await pi.tell(type, eventOf(recorded, recording, pi));
    if (context !== undefined) {
      // Pi tells what `context` made of messages once more, with what it says as the system.
      const [first] = answers as readonly ContextAnswer[];
      const messages = first?.messages ?? messagesOf(recorded, recording);
      answers = await pi.tell("context_with_system", { messages });
    }
    faults.push(
      ...pi.missing.splice(0).map((name) => `The extension uses ${name} of Pi, which recordings do not have.`),
    );
    if (type === "session_shutdown") pi = undefined;
    if (context === undefined) continue;
    const own = messagesOf(recorded, recording);
    const [answer] = answers as readonly ContextAnswer[];
    faults.push(...promptFaults(answer?.messages ?? [], own).map((fault) => `Request ${requests}: ${fault}`));
    requests += 1;
  }
  await pi?.tell("session_shutdown", {});
  return { requests, faults, ...(await storedIn(join(folder, "agent", "context-manager", "objects.sqlite"))) };
}

const messagesOf = ({ context = [] }: RecordedEvent, { messages }: Recording) =>
  context.flatMap((place) => structuredClone(messages[place] ?? []));

function eventOf(recorded: RecordedEvent, recording: Recording, pi: RecordedPi): Readonly<Record<string, unknown>> {
  if (recorded.context !== undefined) return { messages: messagesOf(recorded, recording) };
  const { event = {}, type } = recorded;
  // Handlers may rely on what Pi always says; of messages that are not the model's only the role is asked for.
  const said = type === "message_end" ? { message: { role: "user" } } : {};
  // What recordings leave out: it stands in the entries, or is no JSON.
  return { ...said, ...event, branchEntries: pi.branch(), content: [], signal: new AbortController().signal };
}

async function storedIn(path: string): Promise<Pick<Replayed, "findings" | "steps">> {
  const store = openSqliteStore({ path, readOnly: true });
  const findings: unknown[] = [];
  let steps = 0;
  try {
    for await (const finding of verifyStore(store)) findings.push(finding);
    for await (const session of listSessions(store)) steps += session.steps;
  } finally {
    await store.close();
  }
  return { findings, steps };
}

/** The extension reads its folders from the environment. */
async function inFolder<T>(folder: string, task: () => Promise<T>): Promise<T> {
  const before = process.env.PI_CODING_AGENT_DIR;
  process.env.PI_CODING_AGENT_DIR = join(folder, "agent");
  try {
    return await task();
  } finally {
    if (before === undefined) delete process.env.PI_CODING_AGENT_DIR;
    else process.env.PI_CODING_AGENT_DIR = before;
  }
}
