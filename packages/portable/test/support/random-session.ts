import type { IncomingResult, IncomingUser, StepRecord } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import { forkSession, type Session } from "@cm/session";
import { createRandom, hostileTexts, type Random } from "@cm/testkit";
import { at, Files } from "./files.ts";
import { openOn, type Stage } from "./stage.ts";

const paths = ["/a.ts", "/b.md", "/c", "/d/e.json"];
const callIds = ["call_0", "call_1", "t1", "__proto__", "step:s:0", "x@s"];
const words = ["one", "two", "drei", "\ud800", "vier\nfünf", "", "hunter2", "__proto__", ...hostileTexts.slice(0, 4)];

/** What a random session left in a store. */
export interface Played {
  readonly session: string;
  readonly files: Files;
  readonly layout: NonNullable<Stage["layout"]>;
}

/**
 * Plays a session of a few steps: files that change, late results, attachments, redactions, other system prompts,
 * commands; also a rewind by a fork, a second writer whom this one leaves the session to, and an end with something taken in.
 */
export async function playSession(store: ObjectStore, random: Random, steps = 1 + random.below(8)): Promise<Played> {
  const files = new Files(new Map(paths.slice(0, 3).map((path) => [path, `first ${path}`])));
  const layout = random.pick(["log", "ssot", "plain"] as const);
  const stage = { store, files, layout };
  let name = "s";
  let session = await openOn(stage, name);
  for (let step = 0; step < steps; step += 1) {
    if (random.chance(0.2)) await playTwoWriters(session, await openOn(stage, name), random);
    else await playStep(session, files, random);
    name = session.session;
    if (random.chance(0.2)) {
      await session.close();
      session = await openOn(stage, name);
    } else if (random.chance(0.12)) {
      await session.close();
      ({ session: name } = await forkSession(store, { session: name, n: 0 }, { session: `fork-${step}` }).catch(() => ({
        session: name,
      })));
      session = await openOn(stage, name);
    }
  }
  if (random.chance(0.3)) {
    await session.receive([randomUser(random), randomResult(random, "late")]);
    await session.close();
  } else await session.abandon();
  return { session: name, files, layout };
}

async function playStep(session: Session, files: Files, random: Random): Promise<void> {
  if (random.chance(0.5)) files.write(random.pick(paths), random.chance(0.2) ? undefined : randomText(random));
  if (random.chance(0.6)) await session.receive(random.some(3, () => randomIncoming(random)));
  if (random.chance(0.3)) await session.command({ action: random.pick(["activate", "pin", "hide"]), id: "f1" });
  await session.assemble(random.chance(0.2) ? { systemPrompt: `You are ${random.pick(words)}.` } : {});
  await session.record(randomRecord(random));
}

/** Both made their request before either had recorded: the first finds the second one's step and goes on in a fork. */
async function playTwoWriters(first: Session, second: Session, random: Random): Promise<void> {
  await first.assemble();
  await second.assemble();
  await second.record(randomRecord(random));
  await first.record(randomRecord(random));
  await second.close();
}

function randomRecord(random: Random): StepRecord {
  const calls = random.some(3, () => ({
    callId: random.pick(callIds),
    tool: random.pick(["read", "bash"]),
    args: JSON.parse(random.pick(['{"path":"/a.ts"}', '{"__proto__":{"x":[1,null]}}', '{"n":1.5}'])),
  }));
  const results = calls.filter(() => random.chance(0.8)).map(({ callId }) => randomResult(random, callId));
  return { answer: { role: "assistant", text: random.pick(words), calls }, results };
}

function randomIncoming(random: Random): IncomingUser | IncomingResult {
  return random.chance(0.6) ? randomUser(random) : randomResult(random, random.pick(callIds));
}

function randomUser(random: Random): IncomingUser {
  return { role: "user", text: randomText(random), ...attached(random) };
}

function randomResult(random: Random, callId: string): IncomingResult {
  const files = random.some(3, () => ({
    binding: at(random.pick(paths)),
    as: random.pick(["read", "edited"] as const),
  }));
  return { role: "tool", callId, text: randomText(random), failed: random.chance(0.2), files, ...attached(random) };
}

function attached(random: Random): Pick<IncomingUser, "attachments"> {
  return random.chance(0.2) ? { attachments: [{ mime: "image/png", data: new Uint8Array([random.below(3)]) }] } : {};
}

function randomText(random: Random): string {
  return random.some(5, () => random.pick(words)).join(" ");
}

/** The same session whenever it is asked for. */
export function playSeeded(store: ObjectStore, seed: number, steps?: number): Promise<Played> {
  return playSession(store, createRandom(seed), steps);
}
