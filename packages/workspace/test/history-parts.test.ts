// Verifies: reference "session_history": the new one is written first, and the old removed only then, however long it is.
import { CmError, createMemoryStore, type ObjectStore, type Write } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openWorkspaces, type ThreadMessage, withWorkspaceTypes } from "../src/index.ts";

const thread = (length: number): readonly ThreadMessage[] =>
  Array.from({ length }, (_, place) => ({
    ...{ messageId: `m${place}`, role: place % 2 === 0 ? "user" : "assistant", content: `said ${place}` },
    ...{ taskId: "t", stepId: "t.1", at: place },
  }));

/** A session in a store that counts its commits, fails from one of them on, and loses every second answer. */
async function session() {
  const store = createMemoryStore({ types: withWorkspaceTypes() });
  const state = { commits: [] as (readonly Write[])[], left: Number.POSITIVE_INFINITY, loses: false };
  const records: ObjectStore = {
    contract: store.contract,
    getMany: (...given) => store.getMany(...given),
    find: (...given) => store.find(...given),
    history: (...given) => store.history(...given),
    erase: (...given) => store.erase(...given),
    commit: async (writes, options) => {
      if (state.left-- <= 0) throw new Error("the disk is gone");
      state.commits.push(writes);
      const receipt = await store.commit(writes, options);
      if (state.loses && state.commits.length % 2 === 1) throw new CmError("store/unknown-outcome", "No answer came.");
      return receipt;
    },
  };
  const workspaces = openWorkspaces({ records });
  const owner = { tenantId: "t", userId: "u", executionEnvironment: "desktop", policyBundleVersion: "1" } as const;
  const started = await workspaces.startSession({ ...owner, scope: "general", expiresAt: Date.now() + 1e9 });
  const sessionId = started.session.session_id;
  await workspaces.setSessionState(sessionId, "SESSION_RUNNING");
  const begin = (taskId: string) =>
    workspaces.startTask(sessionId, {
      ...{ taskId, prompt: "p", maxSteps: 5, allowNetwork: false, approvalMode: "never" },
    });
  const end = (taskId: string, messages: readonly ThreadMessage[]) =>
    workspaces.endTask({ sessionId, taskId }, { status: "completed", messages });
  const read = async () => (await workspaces.readHistory(sessionId))?.messages.map(({ content }) => content);
  return { state, begin, end, read };
}

const texts = (length: number) => thread(length).map(({ content }) => content);

describe("a history of many messages", () => {
  it("is taken in commits of a bounded size, and only what is new is written again", async () => {
    const { state, begin, end, read } = await session();
    await begin("t1");
    state.commits = [];

    await end("t1", thread(20_001));
    const first = state.commits;
    await begin("t2");
    state.commits = [];
    await end("t2", thread(20_003));

    expect(Math.max(...first.map(({ length }) => length))).toBeLessThanOrEqual(504);
    expect(first.length).toBeGreaterThan(40);
    expect(state.commits.map((writes) => writes.map(({ document }) => document.type))).toEqual([
      ["thread_message", "thread_message", "session_history", "task", "governed_session", "workspace"],
    ]);
    expect(await read()).toEqual(texts(20_003));
  });

  it("leaves the one before while it is written, and is whole when it is written again", async () => {
    for (const left of [0, 1, 5, 6]) {
      const { state, begin, end, read } = await session();
      await begin("t1");
      await end("t1", thread(3));
      await begin("t2");

      state.left = left;
      await expect(end("t2", thread(3_003))).rejects.toThrow("disk");
      state.left = Number.POSITIVE_INFINITY;
      expect(await read()).toEqual(texts(3));
      await end("t2", thread(3_003));

      expect(await read()).toEqual(texts(3_003));
    }
  });

  it("is written where answers of the store are lost", async () => {
    const { state, begin, end, read } = await session();
    await begin("t1");
    Object.assign(state, { commits: [], loses: true });

    await end("t1", thread(1_003));

    expect(await read()).toEqual(texts(1_003));
  });

  it("has messages with texts as long as they may be", async () => {
    const { begin, end, read } = await session();
    const long = thread(5).map((message) => ({ ...message, content: "x".repeat(4_194_304) }));
    await begin("t1");

    await end("t1", long);

    expect((await read())?.map((text) => text?.length)).toEqual(long.map(() => 4_194_304));
  });

  it("has a bound, which is named", async () => {
    const { begin, end } = await session();
    await begin("t1");

    await expect(end("t1", thread(200_001))).rejects.toMatchObject({
      code: "workspace/limit",
      data: { limit: "messagesPerSessionMax", actual: 200_001, bound: 200_000 },
    });
  });
});
