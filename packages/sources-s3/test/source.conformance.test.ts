// @module-tag process
// Verifies: SSOT 5.11, SRC-001 to SRC-025

import { openFaultProxy, type SourceSubject, sourceSuite } from "@cm/testkit";
import { afterAll, it } from "vitest";
import { freshBucket, outside, serverUrl, sourceOn, withServer } from "./support/s3-world.ts";

/** Keys that S3 takes and S3Proxy does not: those that its store of folders would resolve. */
const notOnThisServer = (name: string): boolean => /^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(name);

/** A server that listens or does not: out of reach is a closed port. */
async function onServer(): Promise<SourceSubject> {
  const bucket = await freshBucket();
  const { hostname, port } = new URL(serverUrl);
  const proxy = await openFaultProxy({ target: { host: hostname, port: Number(port) } });
  const source = sourceOn(proxy.url);
  const elsewhere = `${bucket.name.slice(0, 40)}-not`;
  return {
    source,
    world: {
      async put(name, bytes) {
        await bucket.put(name, bytes);
        return bucket.binding(name, proxy.url);
      },
      remove: (name) => bucket.remove(name),
      binding: async (name) => bucket.binding(name, proxy.url),
      elsewhere: async () => ({ ...bucket.binding("a.txt", proxy.url), bucket: elsewhere }),
      unreach: () => proxy.plan([{ fault: "refused" }]),
      reach: () => proxy.plan([]),
      canHold: (name) => !notOnThisServer(name),
    },
    async close() {
      await source.close();
      await proxy.close();
      await bucket.drop();
    },
  };
}

/** A bucket that is there or is not. */
async function onBucket(): Promise<SourceSubject> {
  const bucket = await freshBucket();
  const held = new Map<string, Uint8Array>();
  const source = sourceOn();
  let inReach = true;
  return {
    source,
    world: {
      async put(name, bytes) {
        held.set(name, bytes);
        await bucket.put(name, bytes);
        return bucket.binding(name);
      },
      async remove(name) {
        held.delete(name);
        await bucket.remove(name);
      },
      binding: async (name) => bucket.binding(name),
      elsewhere: async () => ({ ...bucket.binding("a.txt"), endpoint: "https://not-configured.invalid" }),
      async unreach() {
        inReach = false;
        await bucket.drop();
      },
      async reach() {
        inReach = true;
        await bucket.create();
        for (const [name, bytes] of held) await bucket.put(name, bytes);
      },
      canHold: (name) => !notOnThisServer(name),
    },
    async close() {
      await source.close();
      if (inReach) await bucket.drop();
    },
  };
}

/** The cases in which a place is out of reach. */
const aboutReach: ReadonlySet<string> = new Set(["SRC-004", "SRC-014", "SRC-015", "SRC-016", "SRC-022", "SRC-025"]);

withServer("objects in S3 fulfil source/1", () => {
  afterAll(() => outside.destroy());

  for (const { id, clause, title, run } of sourceSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(onServer));
  }

  for (const { id, title, run } of sourceSuite.cases.filter(({ id }) => aboutReach.has(id))) {
    it(`${id} where the bucket comes and goes: ${title}`, () => run(onBucket));
  }
});
