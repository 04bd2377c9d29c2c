// Verifies: SSOT 2.6, 3.7, F6: a second client on one session is announced, and never held up.
import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { limits, type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { Lease, ownerHere, ownerName } from "../src/step/contention.ts";
import { result, runs, says } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { intercepted, recording } from "./support/stores.ts";

const minute = 60_000;

describe("a lease", () => {
  it("is taken with the session's first commit, under the owner's name", async () => {
    const { store } = world();

    const session = await openAt(store, { owner: "me", now: () => 5_000, leaseMs: 10 });

    expect(await leaseOf(store)).toMatchObject({ owner: "me", acquired_at: 5_000, expires_at: 5_010 });
    expect(session.opened.otherWriter).toBeUndefined();
  });

  it("names host and process by default, and each open session apart", async () => {
    const { store } = world();
    await openAt(store, { owner: undefined });
    const { owner } = await leaseOf(store);

    expect(owner).toContain(` ${process.pid} `);
    expect(ownerHere()).not.toBe(ownerHere());
    expect(ownerName(`${"x".repeat(255)}\u{1f600}`)).toBe(`${"x".repeat(255)}\ufffd`);
  });

  it("is renewed in a step's own commit when less than half of it is left, and not before", async () => {
    const { store, commits, clock } = world();
    const session = await openAt(store, { owner: "me", now: clock.now });
    commits.length = 0;
    for (const minutes of [7, 8, 15, 31]) {
      clock.at = minutes * minute;
      await step(session);
    }

    const renewed = commits.map(({ writes }) => writes.find(({ document }) => document.type === "lease")?.document);
    expect(commits).toHaveLength(4);
    expect(renewed).toMatchObject(
      [
        undefined,
        { acquired_at: 0, expires_at: 23 * minute },
        undefined,
        { acquired_at: 31 * minute, expires_at: 46 * minute },
      ].map((lease) => (lease === undefined ? undefined : expect.objectContaining(lease))),
    );
  });

  it("of another client is not taken over while it holds, and is afterwards", async () => {
    const { store, clock } = world();
    await openAt(store, { owner: "first", now: clock.now });
    clock.at = 10 * minute;
    const second = await openAt(store, { owner: "second", now: clock.now });
    await step(second);
    const during = await leaseOf(store);
    clock.at = 15 * minute;
    await step(second);

    expect(second.opened.otherWriter).toEqual({ owner: "first", acquiredAtMs: 0, expiresAtMs: 15 * minute });
    expect(during.owner).toBe("first");
    expect(await leaseOf(store)).toMatchObject({ owner: "second", acquired_at: 15 * minute });
  });

  it("is over when its client pauses, and holds when its client dies", async () => {
    const { store, clock } = world();
    const first = await openAt(store, { owner: "first", now: clock.now });
    clock.at = minute;
    await first.abandon();
    const second = await openAt(store, { owner: "second", now: clock.now });
    await (await openAt(store, { owner: "first", now: clock.now })).close();
    const third = await openAt(store, { owner: "third", now: clock.now });

    expect(second.opened.otherWriter?.owner).toBe("first");
    expect(third.opened.otherWriter).toBeUndefined();
    expect(await leaseOf(store)).toMatchObject({ owner: "third" });
  });

  it("that cannot be written does not prevent the session's opening, and comes with the first step", async () => {
    const { store } = world();
    await (await openAt(store, { owner: "first" })).close();
    for (const code of ["store/unavailable", "store/unknown-outcome"] as const) {
      let isDown = true;
      const failing = intercepted(store, {
        before(method) {
          if (isDown && method === "commit") throw new CmError(code, "down", { ids: [] });
        },
      });
      const session = await openAt(failing, { owner: code });
      isDown = false;
      await step(session);
      expect(await leaseOf(store)).toMatchObject({ owner: code });
      await session.close();
    }
  });

  it("that others keep taking with their steps ends in a clear error", async () => {
    const { store } = world();
    await (await openAt(store)).close();
    const beaten = intercepted(store, {
      before(method) {
        if (method === "commit") throw new CmError("store/conflict", "beaten", { ids: ["session:s"] });
      },
    });

    await expect(openAt(beaten)).rejects.toMatchObject({ code: "session/busy" });
  });
});

describe("a step that another writer overtook", () => {
  it("says in its receipt who writes, too, and takes the lease of its fork", async () => {
    const { store } = world();
    const holder = await openAt(store, { owner: "holder", now: () => 1 });
    const guest = await openAt(store, { owner: "guest", now: () => 2 });
    const alone = await step(holder, runs(result("h", "")));

    const guests = await step(guest);
    const holders = await step(holder);

    expect(alone).not.toHaveProperty("otherWriter");
    expect(guests.otherWriter).toEqual({ owner: "holder", acquiredAtMs: 1, expiresAtMs: 1 + limits.leaseMs });
    expect(await leaseOf(store, guest.session)).toMatchObject({ owner: "guest" });
    expect(holders).not.toHaveProperty("otherWriter");
  });

  it("leaves the lease to the faster writer, and gives up its own", async () => {
    const { store } = world();
    const slow = await openAt(store, { owner: "slow", now: () => 1 });
    await step(await openAt(store, { owner: "fast", now: () => 2 }));

    const { otherWriter } = await step(slow);

    expect(otherWriter).toEqual({});
    expect(await leaseOf(store)).toMatchObject({ owner: "slow", expires_at: 1 });
  });

  it("names the client that took the lease meanwhile", async () => {
    const { store, clock } = world();
    const slow = await openAt(store, { owner: "slow", now: clock.now });
    clock.at = 20 * minute;
    const fast = await openAt(store, { owner: "fast", now: clock.now });
    await step(fast);

    const { otherWriter } = await step(slow);
    await step(slow);

    expect(otherWriter?.owner).toBe("fast");
    expect(await leaseOf(store)).toMatchObject({ owner: "fast" });
  });
});

it("A lease that was never read or written has no owner, and is not given up.", () => {
  const lease = new Lease({ session: "s", owner: "me", leaseMs: 1 }, undefined);

  expect([lease.other, lease.heldByOther(0), lease.release(0)]).toEqual([undefined, undefined, []]);
});

function world() {
  const clock = { at: 0, now: () => clock.at };
  return { ...recording(createMemoryStore()), clock };
}

function openAt(
  store: ObjectStore,
  { owner, ...some }: Partial<Omit<OpenSessionOptions, "owner">> & { owner?: string | undefined } = {},
): Promise<Session> {
  const parts = {
    layout: { policy: quietPolicy, renderer: openLog },
    rendererFor,
    session: "s",
  };
  return openSession({ store, ...parts, ...(owner === undefined ? {} : { owner }), ...some });
}

async function step(session: Session, record = says("on")) {
  await session.assemble();
  return session.record(record);
}

async function leaseOf(store: ObjectStore, session = "s") {
  const id = `lease:${session}`;
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined) throw new Error("There is no lease.");
  return document;
}
