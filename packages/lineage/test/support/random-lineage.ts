import { isCmError } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { expect } from "vitest";
import type { Lineage } from "../../src/index.ts";
import { ModelLineage, ModelRefusal } from "./model-lineage.ts";
import { committed, type World } from "./world.ts";

const owners = ["one", "two"] as const;
const leaseMs = 1_000;

/** Random operations of two processes on one store, with every answer held against the model's. */
export async function compareWithModel(world: World, random: Random, operations: number): Promise<void> {
  world.nowMs = 1_000_000;
  const model = new ModelLineage(leaseMs);
  const lineages = new Map<string, Lineage>();
  const open = async (owner: string) => {
    model.now = world.nowMs;
    lineages.set(owner, await world.open({ owner, leaseMs }));
    model.take(owner);
  };
  for (const owner of owners) await open(owner);
  for (let n = 0; n < operations; n += 1) {
    world.nowMs += random.chance(0.05) ? 600 : 1;
    model.now = world.nowMs;
    const owner = random.pick(owners);
    if (random.chance(0.02)) await open(owner);
    else await operate({ model, random, owner, n, lineage: lineages.get(owner) as Lineage });
  }
  await compareAll(model, lineages.get("one") as Lineage);
}

interface Turn {
  readonly model: ModelLineage;
  readonly lineage: Lineage;
  readonly owner: string;
  readonly random: Random;
  readonly n: number;
}

/** One operation on both. Ids are those of anything, so that many are wrong. */
async function operate({ model, lineage, owner, random, n }: Turn): Promise<void> {
  const id = `r${String(n).padStart(4, "0")}`;
  const run = () =>
    random.chance(0.02)
      ? "nothing"
      : (random.pick([...model.runs.slice(-12), ...model.runs.slice(0, 2)])?.id ?? "nothing");
  const conversation = () => model.runs.find((one) => one.id === run())?.conversation ?? "nothing";
  const input = "x";
  const dice = model.runs.length === 0 ? 0 : random.below(100);
  if (dice < 6) {
    const metadata = { team: random.below(3) };
    await same(
      () => model.root(owner, id, { ...metadata }),
      () => lineage.root({ id, input, metadata }),
    );
  } else if (dice < 26) {
    const conversationId = conversation();
    const parentId = random.chance(0.2) ? run() : undefined;
    await same(
      () => model.continue(owner, id, conversationId, parentId),
      () => lineage.continue({ id, conversationId, input, ...(parentId === undefined ? {} : { parentId }) }),
    );
  } else if (dice < 33) {
    const conversationId = conversation();
    const from = random.chance(0.6) ? run() : undefined;
    await same(
      () => model.fork(owner, id, conversationId, from),
      () => lineage.fork({ id, conversationId, input, ...(from === undefined ? {} : { from }) }),
    );
  } else if (dice < 43) {
    const spawnedBy = run();
    const name = random.pick(["scout", "cook"]);
    await same(
      () => model.subagent(owner, id, spawnedBy, name),
      () => lineage.subagent({ id, spawnedBy, name, input }),
    );
  } else if (dice < 50) {
    const conversationId = conversation();
    await same(
      () => model.fire(owner, id, conversationId),
      () => lineage.fire({ id, conversationId }),
    );
  } else if (dice < 78) {
    const ended = random.chance(0.7) ? (model.runs.findLast(({ status }) => status === "created")?.id ?? run()) : run();
    const status = random.pick(["committed", "committed", "committed", "awaiting_tool_results", "failed"] as const);
    await same(
      () => model.end(owner, ended, status),
      () => (status === "failed" ? lineage.fail(ended, "x") : lineage.commit(ended, committed({ status }))),
    );
  } else if (dice < 82) {
    const archived = run();
    await same(
      () => model.archive(archived),
      () => lineage.archive(archived),
    );
  } else if (dice < 86) {
    const conversationId = conversation();
    const status = random.chance(0.3) ? "archived" : "active";
    const metadata = { team: random.pick([0, 1, 2, null]) };
    await same(
      () => model.update(conversationId, status, metadata),
      () => lineage.updateConversation(conversationId, { status, metadata }),
    );
  } else if (dice < 89) {
    await same(
      () => model.renew(owner),
      () => lineage.renew(),
    );
  } else if (dice < 92) {
    await same(
      () => [...model.recover(owner)].sort(),
      async () => [...(await lineage.recover())].sort(),
    );
  } else {
    await compareConversation(model, lineage, conversation(), 1 + random.below(4));
  }
}

async function compareAll(model: ModelLineage, lineage: Lineage): Promise<void> {
  for (const { id } of model.conversations) await compareConversation(model, lineage, id, 3);
  for (const { id, conversation, parent, spawner, name, status } of model.runs) {
    expect(await lineage.run(id)).toMatchObject({
      conversation_id: conversation,
      parent_session_id: parent,
      spawned_by: spawner,
      subagent_name: name,
      status,
    });
  }
  for (const status of ["active", "archived"] as const) {
    for (const team of [0, 1, 2]) {
      const { conversations } = await lineage.conversations({ status, metadata: { team }, limit: 1_000 });
      expect(conversations.map(({ conversation_id }) => conversation_id)).toEqual(model.list(status, ["team", team]));
    }
  }
}

async function compareConversation(model: ModelLineage, lineage: Lineage, id: string, limit: number): Promise<void> {
  await same(
    () => model.turns(id),
    async () => {
      const ids: string[] = [];
      for (let before: string | undefined; ; ) {
        const { turns, has_more } = await lineage.turns(id, { limit, ...(before === undefined ? {} : { before }) });
        ids.unshift(...turns.map(({ session_id }) => session_id));
        before = ids[0];
        if (!has_more) return ids;
      }
    },
  );
  await same(
    () => model.mailbox(id).map(({ run, outcome }) => [run, outcome]),
    async () => (await lineage.mailbox(id)).map(({ session_id, outcome }) => [session_id, outcome]),
  );
  if (model.conversations.some((one) => one.id === id)) {
    expect((await lineage.conversation(id)).running).toBe(model.running(id));
  }
}

/** Both answer the same or refuse with the same code. What starts gives more than the model says: undefined here. */
async function same(expected: () => unknown, actual: () => Promise<unknown>): Promise<void> {
  const answer = await outcomeOf(async () => expected());
  const given = await outcomeOf(actual);
  const isComparable = typeof answer === "object" && answer !== null;
  if (isComparable) expect(given).toEqual(answer);
  else expect("refused" in Object(given) ? given : undefined).toBeUndefined();
}

async function outcomeOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ModelRefusal) return { refused: error.code };
    if (isCmError(error)) return { refused: error.code };
    throw error;
  }
}
