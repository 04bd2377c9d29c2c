// Verifies: decision 113: a snapshot is a step's address, and everything that its run saw comes back as it was; nothing is copied.
import { objectIdOf, stepId } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forkSession, openSession, type Session, sessionAt } from "@cm/session";
import { SessionScript } from "@cm/testkit";
import { expect, it } from "vitest";
import type { Lineage, Run, StepState } from "../src/index.ts";
import { onMemory, onSqlite } from "./support/stores.ts";
import type { World } from "./support/world.ts";
import { WrittenFiles } from "./support/written-files.ts";

const path = "/work/plan.md";
const binding = { type: "filesystem", filesystemId: "disk-1", path } as const;
const file = objectIdOf({ type: "file", source: binding });

function openOn({ store }: World, files: WrittenFiles, session: string): Promise<Session> {
  return openSession({
    store,
    layout: layouts.log,
    rendererFor,
    sources: [files],
    session,
    systemPrompt: "Plan.",
    leaseMs: 0,
  });
}

/** What a real agent does in a run: it changes the file and looks at it. Gives the last step's number. */
async function work(session: Session, files: WrittenFiles, round: number): Promise<number> {
  const text = `plan ${round}\n`;
  files.texts.set(path, text);
  const callId = `call-${round}`;
  await new SessionScript()
    .say(`round ${round}`)
    .read(path, text, { callId, files: [{ binding, as: "read" }] })
    .answer("Done.")
    .playInto(session);
  return 2 * round - 1;
}

/** Ends a run with the step that its session has come to. */
async function commitStep({ store }: World, lineage: Lineage, run: Run, n: number): Promise<void> {
  const step = { session: run.conversation_id, n };
  const basis = (await store.getMany([stepId(step)])).get(stepId(step))?.basis ?? "";
  await lineage.commit(run.session_id, { status: "committed", state: { step, basis }, output: `round ${n}` });
}

for (const onStores of [onMemory, onSqlite]) {
  onStores(`snapshots of real sessions ${onStores === onMemory ? "in memory" : "on SQLite"}`, (use) => {
    it("a fork of the third run, while the sixth runs, sees the session and its files as they were then", () =>
      use(async (world) => {
        const lineage = await world.open();
        const files = new WrittenFiles();
        const first = await lineage.root({ input: "round 1" });
        const conversationId = first.conversation_id;
        const session = await openOn(world, files, conversationId);
        let run = first;
        let third = first;
        for (let round = 1; round <= 5; round += 1) {
          if (round > 1) run = await lineage.continue({ conversationId, input: `round ${round}` });
          if (round === 3) third = run;
          await commitStep(world, lineage, run, await work(session, files, round));
        }
        const sixth = await lineage.continue({ conversationId, input: "round 6" });
        await work(session, files, 6);
        let written = 0;
        const { commit } = world.store;
        world.store.commit = (writes, options) => {
          written += writes.length;
          return commit.call(world.store, writes, options);
        };

        const fork = await lineage.fork({ conversationId, from: third.session_id, input: "another way" });
        const { step, basis } = (await lineage.state(fork.parent_session_id ?? "")) as StepState;
        await forkSession(world.store, step, { session: fork.conversation_id });

        expect(written).toBeLessThan(10);
        expect((await lineage.run(sixth.session_id)).status).toBe("created");
        expect((await world.store.getMany([file])).get(file)?.document?.content).toBe("plan 6\n");
        expect((await world.store.getMany([file], basis)).get(file)?.document?.content).toBe("plan 3\n");
        const forked = await openOn(world, files, fork.conversation_id);
        const then = await sessionAt(world.store, step);
        expect(forked.chat().turns).toEqual(then.chat.turns);
        expect(forked.chat().turn_count).toBe(3);
        await session.close();
        await forked.close();
      }));
  });
}
