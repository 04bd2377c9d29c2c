// @module-tag process
// Verifies: SSOT 5.6, 5.8, F11
import type { KnownState, Observation, ObserveRequest, S3Binding } from "@cm/object-model";
import { createRandom, type Fault, type FaultProxy, openFaultProxy, plannedSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import { type Bucket, freshBucket, serverUrl, sourceOn, withServer } from "./support/s3-world.ts";

const rounds = 20;
/** Those that end by themselves; the others would make every round as long as its deadline. */
const passing: readonly Fault[] = [
  "reset",
  "cut-before-reply",
  "cut-in-reply",
  "truncated",
  "empty",
  "garbage",
  "error-500",
];

interface Held {
  readonly text: string;
  readonly etag: string;
}

/** What is in the bucket, kept beside it. */
class Model {
  readonly objects = new Map<string, Held>();
  readonly #bucket: Bucket;
  readonly #random: Random;
  readonly #keys: readonly string[];

  constructor(bucket: Bucket, random: Random, keys: readonly string[]) {
    this.#bucket = bucket;
    this.#random = random;
    this.#keys = keys;
  }

  etags(): ReadonlyMap<string, string> {
    return new Map([...this.objects].map(([key, { etag }]) => [key, etag]));
  }

  /** Writes or removes one object. */
  async change(): Promise<void> {
    const key = this.#random.pick(this.#keys);
    if (this.objects.has(key) && this.#random.chance(0.3)) {
      await this.#bucket.remove(key);
      this.objects.delete(key);
      return;
    }
    const text = `${this.#random.below(1e9)} `.repeat(1 + this.#random.below(200));
    const inParts = this.#random.chance(0.2);
    const etag = await (inParts ? this.#bucket.putInParts(key, [text]) : this.#bucket.put(key, text));
    this.objects.set(key, { text, etag });
  }

  truth({ binding, known, want }: ObserveRequest<S3Binding>): Observation {
    const held = this.objects.get(binding.key);
    if (held === undefined) return { kind: "absent" };
    if (want === "existence") return { kind: "exists" };
    const state = { sourceHash: held.etag };
    if (known?.sourceHash === held.etag) return { kind: "unchanged", state };
    return { kind: "present", sourceHash: held.etag, content: { text: held.text }, state };
  }
}

async function storm(seed: number, proxy: FaultProxy): Promise<void> {
  const random = createRandom(seed);
  const bucket = await freshBucket();
  const keys = Array.from({ length: 16 }, (_, n) => `folder/${n}.txt`);
  const model = new Model(bucket, random, keys);
  const source = sourceOn(proxy.url);
  const pasts = new Map<string, KnownState[]>(keys.map((key) => [key, [{ absent: true }]]));
  const hinted = new Set<string>();
  const tracker = source.track(({ key }) => hinted.add(key));
  await tracker.follow(keys.map((key) => bucket.binding(key, proxy.url)));

  for (let round = 0; round < rounds; round++) {
    const before = model.etags();
    for (let n = random.below(4); n > 0; n--) await model.change();
    const after = model.etags();
    const fault = random.chance(0.4) ? random.pick(passing) : undefined;
    await proxy.plan(fault === undefined ? [] : [{ fault, nth: 1 + random.below(4), times: 1 + random.below(3) }]);
    const requests = random.shuffled(keys).map((key) => {
      const known = random.chance(0.8) ? random.pick(pasts.get(key) ?? []) : undefined;
      const want = random.chance(0.2) ? ("existence" as const) : undefined;
      return { binding: bucket.binding(key, proxy.url), ...(known && { known }), ...(want && { want }) };
    });

    const answers = await source.observe(requests, { contentBytesMax: 1e6, deadlineMs: 60_000 });

    answers.forEach((answer, n) => {
      const request = requests[n];
      if (request === undefined || (answer.kind === "unreachable" && fault !== undefined)) return;
      expect(answer, `round ${round}, ${request.binding.key}, ${fault}`).toEqual(model.truth(request));
      if ("state" in answer) pasts.get(request.binding.key)?.push(answer.state);
    });
    await proxy.plan([]);
    await tracker.settled();
    const unheard = keys.filter((key) => before.get(key) !== after.get(key) && !hinted.has(key));
    expect(unheard, `round ${round}`).toEqual([]);
    hinted.clear();
  }
  await source.close();
  await bucket.drop();
}

withServer("random changes, looks and faults", () => {
  it.each(plannedSeeds({ runs: 2 }))(
    "give the truth or nothing, and a hint for every change (repeat with CM_SEED=%i)",
    async (seed) => {
      const { hostname, port } = new URL(serverUrl);
      const proxy = await openFaultProxy({ target: { host: hostname, port: Number(port) } });
      try {
        await storm(seed, proxy);
      } finally {
        await proxy.close();
      }
    },
  );
});
