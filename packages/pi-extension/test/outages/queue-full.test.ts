// Verifies: SSOT 5.12: what waits for a database that is offline has a bound in memory, and nothing is lost at it.
import { defaultPrices } from "@cm/context-log";
import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { listSessions, sessionAt } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { createWriteBehindStore } from "@cm/write-behind";
import { expect, it, onTestFinished } from "vitest";
import { ManagedSession } from "../../src/managed/managed-session.ts";
import type { OpenedStore, StoreWatch } from "../../src/managed/open-store.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { Branch } from "../support/branch.ts";
import { foldedLayout } from "../support/folded-layout.ts";
import { all } from "../support/stored.ts";

const requests = 12;
const output = (n: number): string => `output ${n} `.repeat(500);

/** A store in memory that can be away, behind a queue with room for few of the outputs. */
class World {
  readonly store = createMemoryStore();
  isOffline = false;
  fullness = 0;

  async open({ onBroken, onChanged }: StoreWatch): Promise<OpenedStore> {
    const base: ObjectStore = {
      contract: "object-store/1",
      getMany: (...args) => this.#asked(() => this.store.getMany(...args)),
      commit: (...args) => this.#asked(() => this.store.commit(...args)),
      history: (...args) => this.#asked(() => this.store.history(...args)),
      find: (...args) => this.#asked(() => this.store.find(...args)),
      erase: (...args) => this.#asked(() => this.store.erase(...args)),
    };
    const store = createWriteBehindStore(base, { assumeAbsent: () => true, queueBytesMax: 40_000, onBroken });
    store.onChange(({ queuedBytes }) => {
      this.fullness = Math.max(this.fullness, queuedBytes);
      onChanged();
    });
    return {
      store,
      state: () => ({
        queued: store.state.queuedCommits,
        ...(store.state.attached ? {} : { reason: "It is offline." }),
      }),
      isThere: async () => true,
      close: () => store.close(),
    };
  }

  async #asked<T>(call: () => Promise<T>): Promise<T> {
    if (this.isOffline) throw new CmError("store/unavailable", "It is offline.");
    return call();
  }
}

it("goes on in memory where the queue is full, and has everything in the database when that is back", async () => {
  const world = new World();
  const branch = new Branch();
  let whenWritten = () => {};
  const side = branch.side({
    changed: () => {
      const { state, unwritten } = session.health;
      if (state === "ok" && unwritten === 0) whenWritten();
    },
  });
  const session = new ManagedSession({
    ...{ side, redact: plain, storePlace: "memory", openStore: (watch) => world.open(watch) },
    sessionOptions: () => ({
      ...{ sources: [], redact: plain, layout: foldedLayout, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async () => [],
    }),
  });
  onTestFinished(() => session.close());
  branch.ask("begin");

  for (let n = 0; n < requests; n += 1) {
    world.isOffline = n > 1;
    const sent = await session.messagesFor(branch.messages, {});
    expect(rawOutputs(sent), `request ${n}`).toEqual([]);
    branch.call(`call_${n}`, { path: `file-${n}.ts`, output: output(n) });
    await session.catchUp();
  }

  expect(session.health).toMatchObject({ state: "offline", reason: "It is offline." });
  expect(world.fullness).toBeGreaterThan(30_000);
  const written = new Promise<void>((resolve) => {
    whenWritten = resolve;
  });
  world.isOffline = false;
  await written;
  expect(await all(verifyStore(world.store))).toEqual([]);
  const [stored, ...others] = await all(listSessions(world.store));
  expect(others).toEqual([]);
  const { objects } = await sessionAt(world.store, stored?.head ?? { session: "", n: 0 });
  expect(objects.map(({ text }, n) => text === output(n))).toEqual(Array.from({ length: requests }, () => true));
});

const plain = (text: string) => ({ text, count: 0 });

function rawOutputs(messages: readonly PiMessage[]): readonly string[] {
  const texts = messages.flatMap((message) =>
    message.role === "toolResult" ? message.content.map((block) => (block.type === "text" ? block.text : "")) : [],
  );
  return texts.filter((text) => text.startsWith("output")).map((text) => text.slice(0, 20));
}
