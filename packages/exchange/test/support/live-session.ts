import { createMemoryStore, type ObjectStore, type StepAddress } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forkSession, openSession, returnToStep, type Session } from "@cm/session";
import type { Random } from "@cm/testkit";

const begin = Date.parse("2026-02-16T10:20:30.000Z");

/** Sessions of one store that were recorded while they ran, each event two seconds behind the one before. */
export class LiveSessions {
  readonly store: ObjectStore = createMemoryStore();
  readonly steps: StepAddress[] = [];
  readonly #sessions = new Set<string>();
  #time = begin;
  #count = 0;

  /** Some turns at the end of a session, which may not be there yet. @param pending what is said behind the last one */
  async talk(session: string, turns: readonly Turn[], pending?: string): Promise<void> {
    this.#sessions.add(session);
    const opened = await openSession({
      ...{ store: this.store, layout: layouts.log, rendererFor, session, owner: "a test", sources: [] },
      ...{ sweep: false, tellResumed: false, now: () => this.#tick() },
    });
    for (const turn of turns) await this.#turn(opened, session, turn);
    if (pending !== undefined) await opened.receive([{ role: "user", text: pending }]);
    await opened.close();
  }

  async back(session: string, to: StepAddress | null): Promise<void> {
    await returnToStep(this.store, {
      ...{ session, n: to?.n ?? null },
      ...(to === null || to.session === session ? {} : { of: to.session }),
    });
  }

  async fork(from: StepAddress, session: string): Promise<void> {
    await forkSession(this.store, from, { session });
    this.#sessions.add(session);
  }

  get sessions(): readonly string[] {
    return [...this.#sessions];
  }

  async #turn(opened: Session, session: string, { said, answer, call, image, systemPrompt }: Turn): Promise<void> {
    const attachments = image === undefined ? [] : [{ mime: "image/png", data: Buffer.from(image) }];
    if (said !== undefined) await opened.receive([{ role: "user", text: said, attachments }]);
    await opened.assemble(systemPrompt === undefined ? {} : { systemPrompt });
    this.#count += 1;
    const callId = `call_${this.#count}`;
    const calls = call === undefined ? [] : [{ callId, tool: "read", args: { path: call } }];
    const { n } = await opened.record({
      answer: {
        ...{
          role: "assistant",
          text: answer,
          calls,
          model: "gpt-5",
          provider: "openrouter",
          api: "openai-completions",
        },
        ...{ thinking: [{ text: `hm ${answer}`, signature: `sign ${answer}` }], stopReason: call ? "toolUse" : "stop" },
      },
      results: calls.map(() => ({ role: "tool" as const, callId, text: `content of ${call}`, failed: false })),
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });
    this.steps.push({ session, n });
  }

  #tick(): number {
    this.#time += 2000;
    return this.#time;
  }
}

export interface Turn {
  readonly said?: string;
  readonly answer: string;
  /** The path that the answer reads. */
  readonly call?: string;
  readonly image?: string;
  /** Holds from here on. */
  readonly systemPrompt?: string;
}

/** A session `live` that goes back and forth, with forks and forks of forks. */
export async function randomLive(random: Random): Promise<LiveSessions> {
  const live = new LiveSessions();
  let turns = 0;
  const some = (): readonly Turn[] =>
    random.some(3, () => {
      turns += 1;
      return {
        ...(random.chance(0.8) ? { said: `said ${turns}` } : {}),
        ...(random.chance(0.2) ? { systemPrompt: `Be ${random.below(3)}.` } : {}),
        ...(random.chance(0.4) ? { call: `${turns}.ts` } : {}),
        ...(random.chance(0.1) ? { image: `bytes ${turns}` } : {}),
        answer: random.chance(0.1) ? "" : `answer ${turns}`,
      };
    });
  await live.talk("live", [{ said: "Hello.", answer: "Yes.", systemPrompt: "Be brief." }, ...some()]);
  for (let act = random.below(6); act > 0; act -= 1) {
    const session = random.pick(live.sessions);
    const own = live.steps.filter((step) => step.session === session);
    if (random.chance(0.4) && own.length > 0) {
      await live.back(session, random.chance(0.1) ? null : random.pick(own));
    } else if (random.chance(0.4)) await live.fork(random.pick(live.steps), `fork-${act}`);
    await live.talk(session, some(), random.chance(0.2) ? `pending ${act}` : undefined);
  }
  return live;
}
