import { expect, it } from "vitest";
import { httpStatusOf, type Run } from "../../src/index.ts";
import { conversationOf } from "./lineage-laws.ts";
import { onLineage, type Use } from "./stores.ts";
import { committed, refused } from "./world.ts";

export function processLaws(use: Use): void {
  const on = onLineage(use, { owner: "first" });

  // Verifies: seed conversation-and-session, Conversation, Concurrency; reference lineage, Concurrency
  it(
    "one agent run is running in a conversation; the second one gets its id, subagents and forks are not blocked",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const running = await lineage.continue({ conversationId, input: "x" });

      const error = await refused(lineage.continue({ conversationId, input: "x" }), "lineage/busy");
      const fork = await lineage.fork({ conversationId, input: "x" });
      const scout = await lineage.subagent({ spawnedBy: running.session_id, name: "scout", input: "x" });
      const cook = await lineage.subagent({ spawnedBy: running.session_id, name: "cook", input: "x" });

      expect([httpStatusOf(error), error.data.running]).toEqual([409, running.session_id]);
      expect(new Set([fork, scout, cook].map(({ status }) => status))).toEqual(new Set(["created"]));
      await lineage.commit(running.session_id, committed());
      await lineage.continue({ conversationId, input: "x" });
    }),
  );

  // Verifies: decision 113: the claim is in the database; reference lineage, defect 4
  it(
    "of many that start at once in several processes exactly one wins, and all others get its id",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      const other = await world.open({ owner: "second" });

      const starts = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 === 0 ? lineage : other).continue({ conversationId, input: `${n}` }),
        ),
      );

      const won = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value.session_id] : []));
      expect(won).toHaveLength(1);
      for (const start of starts) {
        if (start.status === "rejected") {
          expect(start.reason).toMatchObject({ code: "lineage/busy", data: { running: won[0] } });
        }
      }
      expect(
        (await lineage.runs({ conversationId, status: "created" })).runs.map(({ session_id }) => session_id),
      ).toEqual(won);
    }),
  );

  // Verifies: decision 113: claim with owner and lease, renewed
  it(
    "a claim holds as long as its owner renews its lease, and then passes to the process that starts next",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      const other = await world.open({ owner: "second" });
      const running = await lineage.continue({ conversationId, input: "x" });
      world.nowMs += 29_000;
      await lineage.renew();
      world.nowMs += 29_000;
      await other.renew();
      await refused(other.continue({ conversationId, input: "x" }), "lineage/busy");

      world.nowMs += 1_000;
      const next = await other.continue({ conversationId, input: "x" });

      expect(next.parent_session_id).toBe(conversationId);
      expect(await lineage.run(running.session_id)).toMatchObject({
        status: "failed",
        failure: "The process that ran it is gone.",
      });
      expect((await lineage.conversation(conversationId)).running).toBe(next.session_id);
      expect(await lineage.status(running.session_id)).toBe("running");
      await refused(lineage.commit(running.session_id, committed()), "lineage/bad-move");
      expect(await lineage.status(running.session_id)).toBe("failed");
      await lineage.close();
      await refused(other.commit("nothing", committed()), "lineage/not-found");
      expect(await world.states.readState(running.session_id)).toBeUndefined();
      expect((await lineage.conversation(conversationId)).running).toBe(next.session_id);
    }),
  );

  it(
    "a run is ended by the process that runs it, and by no other",
    on(async (lineage, world) => {
      const { session_id } = await lineage.root({ input: "x" });
      const other = await world.open({ owner: "second" });

      await refused(other.commit(session_id, committed()), "lineage/not-ours");
      await refused(other.fail(session_id, "not mine"), "lineage/not-ours");

      expect((await lineage.run(session_id)).status).toBe("created");
      await lineage.commit(session_id, committed());
      expect(await lineage.state(session_id)).toMatchObject({ message_history: [{ role: "user" }] });
    }),
  );

  // Verifies: seed conversation-and-session, Startup Recovery; reference lineage, defect 4
  it(
    "recovery fails the runs of this owner's former self at once, and leaves those of living processes",
    on(async (lineage, world) => {
      const orphan = await lineage.root({ input: "left behind" });
      const done = await conversationOf(lineage);
      const other = await world.open({ owner: "second" });
      const theirs = await other.root({ input: "still running" });

      const again = await world.open({ owner: "first" });
      const mine = await again.root({ input: "new" });
      const failed = await again.recover();

      expect(failed).toEqual([orphan.session_id]);
      const statuses = [orphan.session_id, done, theirs.session_id, mine.session_id].map(
        async (id) => (await again.run(id)).status,
      );
      expect(await Promise.all(statuses)).toEqual(["failed", "committed", "created", "created"]);
      expect((await again.conversation(orphan.session_id)).running).toBeNull();
      expect(await again.recover()).toEqual([]);
      await refused(lineage.renew(), "lineage/not-ours");
      await refused(lineage.commit(orphan.session_id, committed()), "lineage/bad-move");
      await other.commit(theirs.session_id, committed());
    }),
  );

  it(
    "recovery fails the runs of others whose lease ran out, with subagents, whose failure is posted",
    on(async (lineage, world) => {
      const main = await lineage.root({ input: "x" });
      const scout = await lineage.subagent({ spawnedBy: main.session_id, name: "scout", input: "x" });
      await world.states.writeState(main.session_id, { context_state: "written, and not committed" });
      const other = await world.open({ owner: "second" });
      expect(await other.recover()).toEqual([]);

      world.nowMs += 30_000;
      const failed = await other.recover();

      expect([...failed].sort()).toEqual([main.session_id, scout.session_id].sort());
      expect(await other.mailbox(main.session_id)).toMatchObject([{ session_id: scout.session_id, outcome: "failed" }]);
      expect(await world.states.readState(main.session_id)).toBeUndefined();
    }),
  );

  it(
    "a store that was away for longer than a lease ends no run of a process that comes back",
    on(async (lineage, world) => {
      const alive = await lineage.root({ input: "x" });
      const dead = await (await world.open({ owner: "dead" })).root({ input: "x" });
      const other = await world.open({ owner: "second" });
      const { commit } = world.store;
      world.store.commit = () => Promise.reject(new Error("away"));
      world.nowMs += 40_000;
      await expect(other.renew()).rejects.toThrow("away");
      world.store.commit = commit;

      await other.renew();
      const early = await other.recover();
      await refused(other.continue({ conversationId: alive.session_id, input: "y" }), "lineage/busy");
      world.nowMs += 15_000;
      await lineage.renew();
      world.nowMs += 15_000;
      const late = await other.recover();

      expect([early, late]).toEqual([[], [dead.session_id]]);
      await lineage.commit(alive.session_id, committed());
    }),
  );

  it(
    "recovery fails a run of this very process whose start was written, and never heard of",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      const { commit } = world.store;
      world.store.commit = async (writes, options) => {
        await commit.call(world.store, writes, options);
        throw new Error("lost");
      };
      await expect(lineage.continue({ conversationId, input: "x" })).rejects.toThrow("lost");
      world.store.commit = commit;
      const { running } = await lineage.conversation(conversationId);
      const other = await lineage.root({ input: "goes on" });

      expect(await lineage.recover()).toEqual([running]);
      expect((await lineage.run(other.session_id)).status).toBe("created");
      await lineage.continue({ conversationId, input: "y" });
    }),
  );

  it(
    "a run whose end stands elsewhere is committed so by who finds it, at a start as in a recovery, and is gone on from",
    on(async (lineage, world) => {
      const state = { step: { session: "log", n: 3 }, basis: "tx-77" } as const;
      const asked: string[] = [];
      const endOfOrphan = async ({ session_id: id }: Run) => {
        asked.push(id);
        return { status: "committed", state, output: "said" } as const;
      };
      const main = await lineage.root({ input: "x" });
      const scout = await lineage.subagent({ spawnedBy: main.session_id, name: "scout", input: "x" });
      const other = await world.open({ owner: "second", endOfOrphan });
      expect(await other.recover()).toEqual([]);
      expect(asked).toEqual([]);

      world.nowMs += 30_000;
      const next = await other.continue({ conversationId: main.session_id, input: "y" });
      const failed = await other.recover();

      expect(failed).toEqual([]);
      expect(asked).toEqual([main.session_id, scout.session_id]);
      expect(next.parent_session_id).toBe(main.session_id);
      expect(await other.run(main.session_id)).toMatchObject({ status: "committed", output: "said", state });
      expect(await other.mailbox(main.session_id)).toMatchObject([{ session_id: scout.session_id, outcome: "result" }]);
      expect((await other.conversation(main.session_id)).running).toBe(next.session_id);
      await refused(lineage.commit(main.session_id, committed()), "lineage/bad-move");
    }),
  );

  // Verifies: decision 113 "a run whose commit is in the store is committed"
  it(
    "a run whose commit is in the store is committed, though the process never heard of it",
    on(async (lineage, world) => {
      const { session_id } = await lineage.root({ input: "x" });
      const { commit } = world.store;
      world.store.commit = async (writes, options) => {
        await commit.call(world.store, writes, options);
        throw new Error("killed");
      };
      await expect(lineage.commit(session_id, committed())).rejects.toThrow("killed");
      world.store.commit = commit;

      const again = await world.open({ owner: "first" });

      expect(await again.recover()).toEqual([]);
      expect((await again.run(session_id)).status).toBe("committed");
      expect(await again.state(session_id)).toMatchObject({ context_state: { agents: [] } });
      expect((await again.conversation(session_id)).running).toBeNull();
    }),
  );

  it(
    "of two ends of one run at once the first holds, with its own state",
    on(async (lineage) => {
      const { session_id } = await lineage.root({ input: "x" });
      const ending = (n: number) =>
        committed({ output: `${n}`, state: { context_state: n, message_history: "x".repeat(n) } });

      const ends = await Promise.allSettled([
        lineage.commit(session_id, ending(1)),
        lineage.endInterrupted(session_id, ending(2)),
        lineage.fail(session_id, "interrupted"),
        lineage.commit(session_id, ending(4)),
      ]);

      expect(ends.map((end) => (end.status === "rejected" ? end.reason.code : "held"))).toEqual([
        "held",
        "lineage/bad-move",
        "lineage/bad-move",
        "lineage/bad-move",
      ]);
      expect(await lineage.state(session_id)).toEqual({ context_state: 1, message_history: "x" });
    }),
  );

  it(
    "an answer of the store that was lost is asked for again, and nothing happens twice",
    on(async (lineage, world) => {
      const { commit } = world.store;
      let lost = 0;
      world.store.commit = async (writes, options) => {
        const receipt = await commit.call(world.store, writes, options);
        lost += 1;
        if (lost % 2 === 1) throw Object.assign(new Error("lost"), unknownOutcome);
        return receipt;
      };

      const conversationId = await conversationOf(lineage);
      await lineage.continue({ conversationId, input: "x" });

      expect((await lineage.runs()).runs).toHaveLength(2);
      expect(lost).toBe(6);
    }),
  );

  // Verifies: reference lineage, Registry; seed, Session Registry
  it(
    "a status is the registry's, then the index's; the registry refuses during shutdown and drains",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      const running = await lineage.continue({ conversationId, input: "x" });
      const other = await world.open({ owner: "second" });
      expect(await lineage.status(running.session_id)).toBe("running");
      expect(await other.status(running.session_id)).toBe("created");
      expect(await lineage.status(conversationId)).toBe("committed");
      await refused(lineage.status("nothing"), "lineage/not-found");

      let isDrained = false;
      const closing = lineage.close().then(() => {
        isDrained = true;
      });
      const error = await refused(lineage.root({ input: "too late" }), "lineage/shutting-down");
      expect([httpStatusOf(error), isDrained]).toEqual([503, false]);
      await lineage.commit(running.session_id, committed());
      await closing;

      expect(isDrained).toBe(true);
      expect(await other.status(running.session_id)).toBe("committed");
    }),
  );

  it(
    "a process that closed gives its lease back: no other process waits for it",
    on(async (lineage, world) => {
      const { session_id } = await lineage.root({ input: "x" });
      lineage.registry.remove(session_id);
      await lineage.close();

      const other = await world.open({ owner: "second" });

      expect(await other.recover()).toEqual([session_id]);
    }),
  );

  it(
    "a process whose name was taken closes, and leaves the name to the other",
    on(async (lineage, world) => {
      const again = await world.open({ owner: "first" });
      const { session_id } = await again.root({ input: "x" });

      await lineage.close();

      const other = await world.open({ owner: "second" });
      expect(await other.recover()).toEqual([]);
      expect((await other.run(session_id)).status).toBe("created");
    }),
  );

  // Verifies: reference lineage "Interrupt: all running in the conversation, returns a count, repeatable; single-session interrupt of something not running: 404"
  it(
    "an interrupt reaches all that run in a conversation, may be repeated, and waits for hands",
    on(async (lineage) => {
      const { registry } = lineage;
      const main = await lineage.root({ input: "x" });
      const scout = await lineage.subagent({ spawnedBy: main.session_id, name: "scout", input: "x" });
      const elsewhere = await lineage.root({ input: "x" });
      const interrupted: string[] = [];
      const hands = ({ session_id, conversation_id: conversationId, session_type: sessionType }: typeof main) =>
        registry.attach(session_id, { conversationId, sessionType, interrupt: () => interrupted.push(session_id) });
      hands(main);
      hands(elsewhere);

      expect(registry.interruptConversation(main.session_id)).toBe(2);
      expect(registry.interruptConversation(main.session_id)).toBe(2);
      expect(interrupted).toEqual([main.session_id, main.session_id]);
      hands(scout);
      expect(interrupted.at(-1)).toBe(scout.session_id);

      await lineage.fail(main.session_id, "interrupted");
      await lineage.fail(scout.session_id, "interrupted");
      expect(registry.interruptConversation(main.session_id)).toBe(0);
      const error = await refused(() => registry.interrupt(main.session_id), "lineage/not-found");
      expect(httpStatusOf(error)).toBe(404);
      expect(interrupted).not.toContain(elsewhere.session_id);
    }),
  );

  // Verifies: reference lineage "Steering: … deduplicated by message id; nothing running 404, empty text 422, not ready 409"
  it(
    "steering reaches the agent run once for each message id",
    on(async (lineage) => {
      const { registry } = lineage;
      const conversationId = await conversationOf(lineage);
      const steer = (id: string, text: string) => registry.steer(conversationId, { id, text });
      const statusOf = async (id: string, text: string, code: Parameters<typeof refused>[1]) =>
        httpStatusOf(await refused(() => steer(id, text), code));
      expect(await statusOf("m1", "go left", "lineage/not-found")).toBe(404);
      const run = await lineage.continue({ conversationId, input: "x" });
      const scout = await lineage.subagent({ spawnedBy: run.session_id, name: "scout", input: "x" });
      expect(await statusOf("m1", "go left", "lineage/not-ready")).toBe(409);
      const texts: string[] = [];
      const interrupt = () => {};
      for (const { session_id, session_type: sessionType } of [scout, run]) {
        const who = session_id === run.session_id ? "agent" : "subagent";
        registry.attach(session_id, {
          conversationId,
          sessionType,
          interrupt,
          steer: ({ text }) => texts.push(`${who}: ${text}`),
        });
      }

      expect(await statusOf("m1", " ", "lineage/invalid")).toBe(422);
      expect([steer("m1", "go left"), steer("m1", "go left"), steer("m2", "go right")]).toEqual([true, false, true]);

      expect(texts).toEqual(["agent: go left", "agent: go right"]);
    }),
  );
}

/** The mark of a `CmError`, on an error of a test's own. */
const unknownOutcome = { [Symbol.for("cm.error")]: true, code: "store/unknown-outcome", data: {} };
