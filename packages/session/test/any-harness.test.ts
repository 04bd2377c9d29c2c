// @module-tag long
// Verifies: SSOT 4.4 (10), T19: whatever a harness hands over and asks for, and when, a session goes on, in a window and without
// one, opens again as it was left, at other prices and under another layout, too, and has each request as it was sent.
import { defaultPrices, type IncomingResult, type IncomingUser, providerPrices } from "@cm/context-log";
import { createMemoryStore, isCmError } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import { forkSession, type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { type Finding, verifyStore } from "../src/verify.ts";
import { at, MapSource } from "./support/map-source.ts";
import { snapshot } from "./support/snapshot.ts";

const steps = 120;

/** How one harness behaves: how often a result comes late, never or for no call, a person types, and all else happens. */
interface Habits {
  readonly late: number;
  readonly lost: number;
  readonly foreign: number;
  readonly prompt: number;
  readonly usesIdsAgain: boolean;
  readonly fold: number;
  readonly cold: number;
  readonly amend: number;
  readonly erase: number;
  readonly fork: number;
  readonly pause: number;
  /** How often it is opened again with other settings. */
  readonly change: number;
}

it.each(["log", "ssot"] as const)("a session of any harness goes on under layout %s", async (layout) => {
  await forSeeds({ short: 2, long: 400, file: "test/any-harness.test.ts" }, async (random) => {
    const store = createMemoryStore();
    const habits: Habits = {
      late: random.pick([0, 0.3, 1]),
      lost: random.pick([0, 0.1, 0.5]),
      foreign: random.pick([0, 0.1]),
      prompt: random.pick([0.02, 0.2, 0.9]),
      usesIdsAgain: random.chance(0.3),
      ...{ fold: random.pick([0, 0.1]), cold: random.pick([0, 0.1]), amend: random.pick([0, 0.05]) },
      ...{ erase: random.pick([0, 0.03]), fork: random.pick([0, 0.01]), pause: random.pick([0, 0.02, 0.2]) },
      change: random.pick([0, 0.5]),
    };
    const bytesMax = random.pick([20_000, 60_000, undefined]);
    const source = new MapSource();
    changeFiles(source, random, 0.3);
    let name = "s";
    let settings: Partial<OpenSessionOptions> = {};
    const open = (told?: { readonly tellResumed: false; readonly sweep: false }): Promise<Session> =>
      openSession({
        ...{ store, session: name, layout: layouts[layout], rendererFor, sources: [source] },
        ...(bytesMax === undefined ? {} : { window: { bytesMax } }),
        ...{ ...settings, ...told },
      });
    let session = await open();
    let calls = 0;
    const late: IncomingResult[] = [];
    let [isErased, isOwn] = [false, false];
    await session.receive([{ role: "user", text: "Begin." }]);

    for (let n = 0; n < steps; n += 1) {
      const { messages } = await session.assemble({
        ...(random.chance(habits.fold) ? { foldToBytes: 15_000 } : {}),
        ...(random.chance(habits.cold) ? { cache: "cold" } : {}),
      });
      expect(messages[0]?.role).toBe("user");
      const asked = Array.from({ length: random.below(4) }, () => {
        calls += 1;
        return {
          callId: `c${habits.usesIdsAgain ? calls % 5 : calls}`,
          tool: random.pick(tools),
          args: argsOf(random),
        };
      });
      const results = asked.flatMap(({ callId }) =>
        random.chance(habits.lost) ? [] : [resultOf(callId, random, source)],
      );
      if (random.chance(0.3)) changeFiles(source, random, 0.1);
      const behind = results.filter(() => random.chance(habits.late));
      await session.record({
        answer: { role: "assistant", text: wordsOf(random, 300), calls: asked },
        results: results.filter((result) => !behind.includes(result)),
      });
      late.push(...behind);
      isOwn = false;
      const alias = `t${random.below(calls + 1) + 1}`;
      if (random.chance(0.05)) {
        await askFor(session, alias);
        // A text that was asked for, and is not any more, stays in memory until the next step.
        isOwn = true;
      }
      if (random.chance(habits.erase)) {
        await unlessRefused(() => session.erase([alias], "a test"));
        isErased = true;
      }
      if (random.chance(habits.amend)) {
        await amendSomething(session, random);
        // No step says it yet, and a pause does not.
        isOwn = true;
      }
      const incoming: (IncomingResult | IncomingUser)[] = random.chance(0.8) ? late.splice(0) : [];
      if (random.chance(habits.foreign)) incoming.push(resultOf(`never ${n}`, random));
      if (random.chance(habits.prompt)) incoming.push({ role: "user", text: wordsOf(random, 300) });
      await session.receive(incoming);
      const forks = n > 10 && random.chance(habits.fork);
      if (!forks && !random.chance(habits.pause)) continue;
      await session.close();
      if (!isErased && !isOwn) {
        const reader = await open({ tellResumed: false, sweep: false });
        expect(withoutBill(reader)).toEqual(withoutBill(session));
        await reader.abandon();
      }
      if (random.chance(habits.change)) settings = otherSettings(random);
      if (forks) {
        // Steps before the first one of a fork are not its own.
        const at = { session: name, n: random.below(n) };
        await unlessRefused(async () => {
          await forkSession(store, at, { session: `fork-${n}` });
          name = `fork-${n}`;
        });
        late.length = 0;
      }
      session = await open();
    }

    await session.close();
    for await (const { hash, recordedHash, complete } of rebuildPrompts(store, name, rendererFor))
      if (complete) expect(hash).toBe(recordedHash);
    const findings: Finding[] = [];
    for await (const finding of verifyStore(store)) findings.push(finding);
    expect(findings.filter(({ problem }) => problem !== "erased")).toEqual([]);
  });
});

/** A bill that was added up in another order differs in its last digits. */
const withoutBill = (session: Session) => ({ ...snapshot(session), ledger: undefined });

function otherSettings(random: Random): Partial<OpenSessionOptions> {
  return {
    layout: layouts[random.pick(["log", "ssot"] as const)],
    prices: random.pick([defaultPrices, providerPrices.anthropic5m, providerPrices.openaiGpt56, providerPrices.none]),
    keyframeEverySteps: random.pick([1, 7, 30]),
    poolEntriesMax: random.pick([5, 1_000]),
  };
}

const tools = ["bash", "read", "edit", "a tool of theirs"] as const;

const wordsOf = (random: Random, charsMax: number): string =>
  "some words of it\n".repeat(1 + charsMax / 16).slice(0, random.below(charsMax));

function argsOf(random: Random) {
  if (random.chance(0.5)) return { command: wordsOf(random, 400) };
  return { path: `/p/f${random.below(9)}.ts`, oldText: wordsOf(random, 200), newText: wordsOf(random, 1_500) };
}

/** Half of them show a file, or say that they changed it. */
function resultOf(callId: string, random: Random, source?: MapSource): IncomingResult {
  if (source === undefined || random.chance(0.5)) {
    const text = random.chance(0.05) ? null : wordsOf(random, random.chance(0.1) ? 9_000 : 900);
    return { role: "tool", callId, text, failed: random.chance(0.1) };
  }
  const path = random.pick(paths);
  const text = source.files.get(path);
  const span = random.chance(0.3) ? { span: { startLine: 1, endLine: 3 } } : {};
  const files = [{ binding: at(path), as: random.pick(["read", "read", "edited", "discovered"] as const), ...span }];
  if (typeof text !== "string") return { role: "tool", callId, text: "no such file", failed: true, files };
  return { role: "tool", callId, text, failed: false, files };
}

const paths = Array.from({ length: 9 }, (_, n) => `/p/f${n}.ts`);

/** Another program writes, takes away and unplugs files. */
function changeFiles({ files, unreachable }: MapSource, random: Random, share: number): void {
  for (const path of paths) {
    if (random.chance(share / 5)) unreachable.add(path);
    else if (random.chance(0.3)) unreachable.delete(path);
    if (!random.chance(share)) continue;
    if (random.chance(0.15)) files.delete(path);
    else
      files.set(path, random.chance(0.1) ? Buffer.from([0, 1, 2]) : `${random.below(1e6)}\n${wordsOf(random, 4_000)}`);
  }
}

/** A call that may have left, may be in view or may be none. */
async function askFor(session: Session, id: string): Promise<void> {
  for (const action of ["activate", "pin", "deactivate", "unpin"] as const)
    await unlessRefused(() => session.command({ action, id }));
}

/** Another part of the harness changes a message of the log, or lets it be again as it was. */
async function amendSomething(session: Session, random: Random): Promise<void> {
  const { log } = session.view();
  const at = random.below(log.length);
  if (log[at]?.kind === "omitted") return;
  const entry = log[at];
  const args = entry?.kind === "assistant" && random.chance(0.3) ? { args: entry.calls.map(() => argsOf(random)) } : {};
  const amendment = random.chance(0.2) ? { at } : { at, text: `changed ${wordsOf(random, 60)}`, ...args };
  await unlessRefused(() => session.amend([amendment]));
}

async function unlessRefused(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isCmError(error)) throw error;
  }
}
