// Verifies: what is written through outages is what would have been written without: same versions, in the same order.
import { createMemoryStore, type ObjectDocument, type ObjectStore, type VersionToken } from "@cm/object-model";
import { forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import { createWriteBehindStore } from "../src/index.ts";
import { file, idOf, prompt, toolcall } from "./support/documents.ts";
import { Gate, type GateState } from "./support/gate.ts";
import { quickWait } from "./support/quick-wait.ts";

interface Planned {
  readonly documents: readonly ObjectDocument[];
  /** What the writer expects: nothing, what it was told last, or what it was told before. */
  readonly expect: "any" | "newest" | "older";
  readonly request: string | undefined;
  readonly isRepeated: boolean;
  readonly gate: GateState;
}

/** A writer that remembers its tokens, new and old, and plays a plan. */
class Writer {
  readonly outcomes: string[] = [];
  readonly #store: ObjectStore;
  readonly #tokens = new Map<string, VersionToken[]>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async write({ documents, expect: kind, request, isRepeated }: Planned): Promise<void> {
    const writes = documents.map((document) => ({ document, expect: this.#expected(idOf(document), kind) }));
    const commit = () => this.#store.commit(writes, request === undefined ? {} : { requestId: request });
    try {
      const receipt = await commit();
      // A write may have two tokens, the provisional and the real one; both stand for it.
      for (const { id, token, outcome } of receipt.results) {
        if (outcome === "written") this.#tokens.set(id, [token, ...(this.#tokens.get(id) ?? [])]);
      }
      this.outcomes.push(receipt.results.map(({ outcome }) => outcome).join());
      if (isRepeated && request !== undefined) expect(await commit()).toEqual(receipt);
    } catch (error) {
      this.outcomes.push(String(Object(error).code));
      if (String(Object(error).code) === "undefined") throw error;
    }
    for (const document of documents) {
      const found = (await this.#store.getMany([idOf(document)])).get(idOf(document));
      this.outcomes.push(`${found?.document?.content}`);
    }
  }

  #expected(id: string, kind: Planned["expect"]): "any" | "absent" | VersionToken {
    const tokens = this.#tokens.get(id) ?? [];
    return kind === "any" ? "any" : (tokens[kind === "older" ? 1 : 0] ?? "absent");
  }
}

it("outages at any place change neither answers nor versions", async () => {
  await forSeeds({ short: 30, long: 5_000, file: "packages/write-behind/test/outages.test.ts" }, async (random) => {
    const plan = Array.from({ length: 25 }, (_, n) => planned(random, n));
    const calm = createMemoryStore({ now: () => 0 });
    const base = createMemoryStore({ now: () => 0 });
    const gate = new Gate(base);
    const store = createWriteBehindStore(gate.store, { wait: quickWait, now: () => 0, assumeAbsent: () => true });
    const [steady, through] = [new Writer(calm), new Writer(store)];
    await Promise.all(
      [calm, store].map((one) => one.commit([{ document: prompt("first", "other"), expect: "absent" }])),
    );

    for (const one of plan) {
      gate.set(one.gate);
      await steady.write(one);
      await through.write(one);
    }
    gate.set("open");

    expect(await store.flush(1_000_000)).toBe(true);
    expect(through.outcomes).toEqual(steady.outcomes);
    expect(await contentsOf(base)).toEqual(await contentsOf(calm));
    expect(await contentsOf(store)).toEqual(await contentsOf(calm));
  });
});

function planned(random: Random, n: number): Planned {
  const make = [
    () => file(`/${random.below(3)}`, `text ${random.below(4)}`),
    () => toolcall(`call ${random.below(4)}`, `text ${random.below(3)}`),
    () => prompt(`text ${random.below(4)}`, `s${random.below(2)}`),
  ];
  const drawn = Array.from({ length: 1 + random.below(3) }, () => random.pick(make)());
  return {
    documents: [...new Map(drawn.map((document) => [idOf(document), document])).values()],
    expect: random.pick(["any", "newest", "newest", "newest", "older"]),
    request: random.chance(0.5) ? `request ${n}` : undefined,
    isRepeated: random.chance(0.3),
    gate: random.pick(["open", "open", "down", "hanging", "lossy"]),
  };
}

/** Every version of every object, oldest first, without times and tokens. */
async function contentsOf(store: ObjectStore): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const contents = new Map<string, readonly unknown[]>();
  for (const type of ["file", "toolcall", "system_prompt"]) {
    for (const { id } of (await store.find({ type })).versions) {
      const { versions } = await store.history(id, { documents: true });
      contents.set(id, versions.map(({ document }) => document?.content).reverse());
    }
  }
  return contents;
}
