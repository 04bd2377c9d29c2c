// Verifies: SSOT 3.5, 3.7, T20: nothing of one session reaches another one but through a file that both may have.
import type { IncomingResult, Renderer, SetCommand } from "@cm/context-log";
import { createMemoryStore, type ObjectStore, objectIdOf } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type DiscoverPrefix, openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, result, says, touch, user } from "./support/messages.ts";
import { restlessPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/canaries.test.ts";
const stepsPerSession = 10;
const names = ["ann", "bob"] as const;
type Name = (typeof names)[number];

const settings: readonly (readonly [string, readonly DiscoverPrefix[] | undefined])[] = [
  ["with discovery of a shared folder", [{ type: "filesystem", pathPrefix: "/shared" }]],
  ["without discovery", undefined],
];

describe.each(settings)("two sessions %s", (_name, discover) => {
  it.each([openLog, openSets])("show and tell each other nothing, under $layout", async (renderer) => {
    await forSeeds({ short: 4, long: 125, file }, async (random, seed) => {
      const world = await World.open({ renderer, discover, random, seed });
      for (let n = 0; n < stepsPerSession; n += 1) {
        for (const name of names) await world.step(name);
      }
      world.checkAll();
    });
  });
});

interface Setting {
  readonly renderer: Renderer;
  readonly discover: readonly DiscoverPrefix[] | undefined;
  readonly random: Random;
  readonly seed: number;
}

/** What only one session has: words in its prompts, outputs, arguments, paths and private files. */
const canaryOf = (name: Name): string => `canary-${name}`;
const sharedCanary = "canary-shared";

class World {
  readonly #setting: Setting;
  readonly #store: ObjectStore = createMemoryStore();
  readonly #source = new MapSource();
  readonly #sessions = new Map<Name, Session>();
  /** Everything that each session showed or told. */
  readonly #told: Record<Name, string[]> = { ann: [], bob: [] };
  #words = 0;

  private constructor(setting: Setting) {
    this.#setting = setting;
  }

  static async open(setting: Setting): Promise<World> {
    const world = new World(setting);
    for (const name of names) {
      world.#source.files.set(`/${name}/canary-${name}.ts`, world.#word(name));
      // Each puts one file into the folder that both may read, and none is told of it.
      world.#source.files.set(`/shared/${name}.ts`, sharedCanary);
      await world.#reopen(name);
    }
    return world;
  }

  async step(name: Name): Promise<void> {
    const { random } = this.#setting;
    if (random.chance(0.15)) await this.#reopen(name);
    const session = this.#session(name);
    if (random.chance(0.7)) await session.receive([user(this.#word(name))]);
    if (random.chance(0.2)) await session.receive([this.#result(name, `late ${random.below(4)}`)]);
    if (random.chance(0.3)) this.#write();
    await this.#command(name);
    this.#hear(name, await session.assemble());
    await this.#command(name);
    const results = Array.from({ length: random.below(3) }, () => this.#result(name, `call_${random.below(4)}`));
    const calls = results.map(({ callId }) => call(callId, "bash", { command: this.#word(name) }));
    const { answer } = says(this.#word(name));
    this.#hear(
      name,
      await session.record({ answer: { ...answer, ...answering(...calls), text: this.#word(name) }, results }),
    );
    await this.#look(name);
  }

  checkAll(): void {
    for (const name of names) {
      const [other] = names.filter((one) => one !== name);
      const leaked = this.#told[name].filter((text) => text.includes(canaryOf(other ?? name)));
      if (leaked.length > 0) expect.fail(`${name} was told what only ${other} has: ${leaked[0]?.slice(0, 300)}`);
    }
    const shown = names.map((name) => this.#told[name].some((text) => text.includes(canaryOf(name))));
    expect(shown).toEqual([true, true]);
    if (this.#setting.discover === undefined) {
      for (const name of names) {
        const [other] = names.filter((one) => one !== name);
        expect(this.#told[name].join()).not.toContain(`/shared/${other}.ts`);
      }
    }
  }

  /** All that can be asked for. */
  async #look(name: Name): Promise<void> {
    const { random } = this.#setting;
    const session = this.#session(name);
    const ids = await this.#someIds();
    this.#hear(
      name,
      await session.list({}),
      await session.list({ text: random.pick(["canary", canaryOf("ann"), canaryOf("bob"), sharedCanary]) }),
      await session.list({ path: random.pick(["ann", "bob", "shared", "canary"]) }),
      await session.objects(),
      session.tracking(),
      session.opened,
      ids.map((id) => session.seen(id)),
      random.chance(0.2) ? [session.chat(), session.wrapper(), await session.promptAt(0)] : [],
    );
  }

  /** Also with ids that it was never given: another session's, and the infrastructure's. */
  async #command(name: Name): Promise<void> {
    const { random } = this.#setting;
    const session = this.#session(name);
    const action = random.pick(["activate", "deactivate", "pin", "unpin", "show", "hide", "adopt"] as const);
    const id = random.pick(await this.#someIds());
    const outcome = action === "adopt" ? await session.adopt(id) : await session.command({ action, id } as SetCommand);
    // The id is what was given; only what is said about it counts.
    this.#hear(name, { ...outcome, id: "" });
  }

  async #someIds(): Promise<readonly string[]> {
    const own = [...this.#sessions.values()].flatMap((session) => session.wrapper().session_index);
    const files = [...this.#source.files.keys()].map((path) => objectIdOf({ type: "file", source: at(path) }));
    return [
      ...own,
      ...files,
      "f1",
      "t1",
      "session:ann",
      "session:bob",
      "step:ann:0",
      "step:bob:0",
      "chat:ann",
      "__proto__",
    ];
  }

  #result(name: Name, callId: string): IncomingResult {
    const { random } = this.#setting;
    const path = random.pick([`/${name}/canary-${name}.ts`, `/${name}/canary-${name}.ts`, `/shared/${name}.ts`]);
    const as = random.pick(["read", "edited", "discovered"] as const);
    const files = random.chance(0.7) ? [touch(path, as, random.chance(0.5) ? { startLine: 1 } : undefined)] : [];
    return result(callId, this.#word(name), { files });
  }

  #write(): void {
    const name = this.#setting.random.pick(names);
    this.#source.files.set(`/${name}/canary-${name}.ts`, this.#word(name));
  }

  #word(name: Name): string {
    this.#words += 1;
    return `${canaryOf(name)} ${this.#words}`;
  }

  async #reopen(name: Name): Promise<void> {
    const { renderer, discover, seed, random } = this.#setting;
    const before = this.#sessions.get(name);
    await (random.chance(0.5) ? before?.close() : before?.abandon());
    const session = await openSession({
      store: this.#store,
      layout: { policy: restlessPolicy(seed), renderer },
      sources: [this.#source],
      session: name,
      systemPrompt: this.#word(name),
      poolEntriesMax: 4,
      owner: name,
      ...(discover === undefined ? {} : { discover }),
    });
    this.#sessions.set(name, session);
  }

  #session(name: Name): Session {
    const session = this.#sessions.get(name);
    if (session === undefined) throw new Error(`${name} is not open`);
    return session;
  }

  #hear(name: Name, ...said: readonly unknown[]): void {
    this.#told[name].push(...said.map((one) => JSON.stringify(one)));
  }
}
