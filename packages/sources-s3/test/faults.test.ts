// @module-tag process
// @module-tag long
// Verifies: SSOT 5.6, F11, T15
import type { Observation, ObserveRequest, S3Binding } from "@cm/object-model";
import { type Fault, faults, openFaultProxy } from "@cm/testkit";
import { beforeAll, expect, it } from "vitest";
import { type Bucket, freshBucket, serverUrl, sourceOn, withServer } from "./support/s3-world.ts";

interface Scenario {
  readonly requests: readonly ObserveRequest<S3Binding>[];
  /** What an undisturbed look says. */
  readonly truth: readonly Observation[];
}

/** These never answer: only the deadline ends them. */
const hanging: ReadonlySet<Fault> = new Set(["never", "late", "slow-drip"]);
/** Over these the second try gets. */
const passing: readonly Fault[] = ["reset", "cut-before-reply", "cut-in-reply", "empty", "garbage", "not-http"];
/** These need a second request for their answer. */
const asksTwice = /missing|parts/;
const text = "All of it, and nothing but it. ".repeat(2_000);

/** Everything that can be asked, through another endpoint. */
async function scenarios(bucket: Bucket, gone: Bucket, endpoint: string): Promise<Readonly<Record<string, Scenario>>> {
  const place = (key: string): S3Binding => bucket.binding(key, endpoint);
  const known = (key: string) => ({ binding: place(key), known: { sourceHash: etags.get(key) ?? "" } });
  const { truthOf, etags } = held;
  const many = Array.from({ length: 13 }, (_, n) => known(`many/${n}`));
  const asked: Readonly<Record<string, readonly ObserveRequest<S3Binding>[]>> = {
    "an object with a checksum": [{ binding: place("whole") }],
    "an object in parts, without": [{ binding: place("parts") }],
    "a known object": [known("whole")],
    "a changed object": [{ binding: place("whole"), known: { sourceHash: "0".repeat(32) } }],
    "a missing object": [{ binding: place("missing") }],
    "the existence of an object": [{ binding: place("whole"), want: "existence" }],
    "the existence of a missing object": [{ binding: place("missing"), want: "existence" }],
    "an object in a missing bucket": [{ binding: gone.binding("a", endpoint) }],
    "the existence of one there": [{ binding: gone.binding("a", endpoint), want: "existence" }],
    "many known objects": [...many, { binding: place("missing") }],
  };
  return Object.fromEntries(
    Object.entries(asked).map(([name, requests]) => [name, { requests, truth: requests.map(truthOf) }]),
  );
}

const held = {
  etags: new Map<string, string>(),
  truthOf({ binding, known, want }: ObserveRequest<S3Binding>): Observation {
    const sourceHash = held.etags.get(binding.key);
    if (binding.key === "a") return { kind: "unreachable", reason: "bucket missing" };
    if (sourceHash === undefined) return { kind: "absent" };
    if (want === "existence") return { kind: "exists" };
    if (known?.sourceHash === sourceHash) return { kind: "unchanged", state: { sourceHash } };
    return { kind: "present", sourceHash, content: { text }, state: { sourceHash } };
  },
};

withServer("whatever happens on the way to S3", () => {
  let bucket: Bucket;
  let gone: Bucket;
  beforeAll(async () => {
    bucket = await freshBucket();
    gone = await freshBucket();
    await gone.drop();
    held.etags.set("whole", await bucket.put("whole", text));
    held.etags.set("parts", await bucket.putInParts("parts", [text]));
    for (let n = 0; n < 13; n++) held.etags.set(`many/${n}`, await bucket.put(`many/${n}`, `${n}`));
  });

  const behind = async (work: (proxy: Awaited<ReturnType<typeof openFaultProxy>>) => Promise<void>): Promise<void> => {
    const { hostname, port } = new URL(serverUrl);
    const proxy = await openFaultProxy({ target: { host: hostname, port: Number(port) } });
    try {
      await work(proxy);
    } finally {
      await proxy.close();
    }
  };

  it("says the truth when nothing happens", async () => {
    await behind(async (proxy) => {
      const source = sourceOn(proxy.url);
      for (const [name, { requests, truth }] of Object.entries(await scenarios(bucket, gone, proxy.url))) {
        expect(await source.observe(requests, { contentBytesMax: 1e6, deadlineMs: 300_000 }), name).toEqual(truth);
      }
      await source.close();
    });
  });

  it.concurrent.each(faults)("says the truth or nothing under %s", async (fault) => {
    await behind(async (proxy) => {
      const source = sourceOn(proxy.url, { random: () => 1 });
      for (const [name, { requests, truth }] of Object.entries(await scenarios(bucket, gone, proxy.url))) {
        for (const rule of [{ nth: 1 }, ...(asksTwice.test(name) ? [{ nth: 2 }] : []), { times: Infinity }]) {
          await proxy.plan([{ fault, ...rule }]);

          const answers = await source.observe(requests, {
            contentBytesMax: 1e6,
            deadlineMs: hanging.has(fault) ? 200 : 800,
          });

          const wrong = answers.filter(
            (answer, n) => answer.kind !== "unreachable" && JSON.stringify(answer) !== JSON.stringify(truth[n]),
          );
          expect(wrong, `${name}, ${fault} at ${JSON.stringify(rule)}`).toEqual([]);
          expect(answers).toHaveLength(requests.length);
        }
      }
      await source.close();
    });
  });

  it.concurrent.each(passing)("gets over a single %s", async (fault) => {
    await behind(async (proxy) => {
      const source = sourceOn(proxy.url);
      for (const [name, { requests, truth }] of Object.entries(await scenarios(bucket, gone, proxy.url))) {
        await proxy.plan([{ fault }]);

        const answers = await source.observe(requests, { contentBytesMax: 1e6, deadlineMs: 60_000 });

        expect(answers, name).toEqual(truth);
      }
      await source.close();
    });
  });
});
