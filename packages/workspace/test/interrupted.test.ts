// Verifies: reference "Deletion": metadata first, failures of the rest told and repeatable; a purge that is interrupted goes on.
import { createMemoryStore, isCmError, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openWorkspaces, withWorkspaceTypes } from "../src/index.ts";

const day = 86_400_000;

/** A store whose commits and erasures fail from a number on, until it is well again. */
function frail() {
  const store = createMemoryStore({ types: withWorkspaceTypes() });
  const state = { left: Number.POSITIVE_INFINITY };
  const step = (): void => {
    if (state.left <= 0) throw new Error("the disk is gone");
    state.left -= 1;
  };
  const records: ObjectStore = {
    contract: store.contract,
    getMany: (...given) => store.getMany(...given),
    find: (...given) => store.find(...given),
    history: (...given) => store.history(...given),
    commit: async (...given) => {
      step();
      return store.commit(...given);
    },
    erase: async (...given) => {
      step();
      return store.erase(...given);
    },
  };
  return { records, state };
}

async function filled(records: ObjectStore, clock: { at: number }) {
  const workspaces = openWorkspaces({ records, now: () => clock.at });
  const owner = { tenantId: "t", userId: "u", executionEnvironment: "desktop", policyBundleVersion: "1" } as const;
  const { session } = await workspaces.startSession({ ...owner, scope: "general", expiresAt: clock.at + day });
  const [sessionId, workspaceId] = [session.session_id, session.workspace_id];
  await workspaces.setSessionState(sessionId, "SESSION_RUNNING");
  const task = { taskId: "t1", prompt: "p", maxSteps: 5, allowNetwork: false, approvalMode: "never" } as const;
  await workspaces.startTask(sessionId, task);
  const message = { messageId: "m", role: "user", content: "hush", taskId: "t1", stepId: "t1.1", at: 1 } as const;
  await workspaces.endTask({ sessionId, taskId: "t1" }, { status: "completed", messages: [message] });
  return { workspaces, sessionId, workspaceId };
}

const missing = (error: unknown) => isCmError(error, "workspace/not-found");

describe("a deletion", () => {
  it("hides all of a workspace by its first write, tells what failed, and finishes when it is asked again", async () => {
    const { records, state } = frail();
    const { workspaces, sessionId, workspaceId } = await filled(records, { at: 1 });

    state.left = 1;
    const first = await workspaces.deleteWorkspace(workspaceId);

    expect(first).toEqual({ deleted: 0, failedBatches: 4 });
    await expect(workspaces.readHistory(sessionId)).rejects.toSatisfy(missing);
    state.left = Number.POSITIVE_INFINITY;
    expect(await workspaces.deleteWorkspace(workspaceId)).toEqual({ deleted: 4, failedBatches: 0 });
    await expect(workspaces.deleteWorkspace(workspaceId)).rejects.toSatisfy(missing);
  });
});

describe("a history that is deleted while a task ends", () => {
  const task = { taskId: "t2", prompt: "p", maxSteps: 5, allowNetwork: false, approvalMode: "never" } as const;
  const old = { messageId: "m", role: "user", content: "hush", taskId: "t1", stepId: "t1.1", at: 1 } as const;
  const end = { status: "completed", messages: [old, { ...old, messageId: "n", content: "next" }] } as const;

  it.each(["before", "within"])("is whole where the task looked %s the deletion", async (when) => {
    const { records } = frail();
    const { workspaces, sessionId } = await filled(records, { at: 1 });
    await workspaces.startTask(sessionId, task);
    const { commit } = records;
    let commits = 0;
    let ended: Promise<unknown> = Promise.resolve();
    const [goOn, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    records.commit = async (...given) => {
      const isEnd = JSON.stringify(given[0]).includes('"next"');
      if (isEnd && commits === 0) {
        commits += 1;
        looked.resolve();
        await goOn.promise;
      }
      return commit(...given);
    };
    const endTask = async () => {
      ended = workspaces.endTask({ sessionId, taskId: "t2" }, end);
      await looked.promise;
    };

    if (when === "before") {
      await endTask();
      await workspaces.deleteHistory(sessionId);
    } else {
      const { find } = records;
      records.find = async (...given) => {
        const found = await find(...given);
        if (given[0].type === "thread_message" && commits === 0) await endTask();
        return found;
      };
      await workspaces.deleteHistory(sessionId);
    }
    goOn.resolve();
    await ended;

    const history = await workspaces.readHistory(sessionId);
    expect(history?.messages.map(({ content }) => content)).toEqual(["hush", "next"]);
  });
});

describe("a purge", () => {
  it("that is interrupted after any of its writes is finished by the next", async () => {
    for (let writes = 0; writes < 3; writes++) {
      const { records, state } = frail();
      const clock = { at: 1 };
      const { workspaces, workspaceId } = await filled(records, clock);
      clock.at += 91 * day;

      state.left = writes;
      await expect(workspaces.purge({ dryRun: false })).rejects.toThrow("disk");
      state.left = Number.POSITIVE_INFINITY;
      const purged = await workspaces.purge({ dryRun: false });

      expect(purged.map((one) => one.workspaceId)).toEqual([workspaceId]);
      for (const type of ["workspace", "governed_session", "task", "thread_message", "session_history"]) {
        expect((await records.find({ type })).versions).toEqual([]);
      }
      expect(await workspaces.purge({ dryRun: false })).toEqual([]);
    }
  });

  it("is finished also where the audit's time was over since it was interrupted", async () => {
    const { records, state } = frail();
    const clock = { at: 1 };
    const { workspaces, workspaceId } = await filled(records, clock);
    clock.at += 91 * day;
    state.left = 2;
    await expect(workspaces.purge({ dryRun: false })).rejects.toThrow("disk");
    state.left = Number.POSITIVE_INFINITY;
    clock.at += 2 * day;

    expect(await workspaces.expireAudit({ dryRun: false, olderThanDays: 1 })).toBe(1);
    const purged = await workspaces.purge({ dryRun: false });

    expect(purged.map((one) => one.workspaceId)).toEqual([workspaceId]);
  });

  it("ends as it would alone where another one records it first", async () => {
    const { records } = frail();
    const clock = { at: 1 };
    const { workspaces, workspaceId } = await filled(records, clock);
    clock.at += 91 * day;
    const { commit } = records;
    let isFirst = true;
    records.commit = async (...given) => {
      const isRecord = JSON.stringify(given[0]).includes("workspace_purged");
      if (isRecord && isFirst) {
        isFirst = false;
        await workspaces.purge({ dryRun: false });
      }
      return commit(...given);
    };

    const purged = await workspaces.purge({ dryRun: false });

    expect(purged.map((one) => one.workspaceId)).toEqual([workspaceId]);
    expect((await records.find({ type: "governed_event" })).versions).toHaveLength(1);
  });

  it("leaves a workspace alone that was used since it was looked at", async () => {
    const { records } = frail();
    const clock = { at: 1 };
    const { workspaces, workspaceId, sessionId } = await filled(records, clock);
    clock.at += 91 * day;
    const find = records.find;
    const task = { taskId: "t2", prompt: "p", maxSteps: 5, allowNetwork: false, approvalMode: "never" } as const;
    let isFirst = true;
    records.find = async (...given) => {
      const found = await find(...given);
      if (given[0].type === "workspace" && isFirst) {
        isFirst = false;
        await workspaces.startTask(sessionId, task);
      }
      return found;
    };

    expect(await workspaces.purge({ dryRun: false })).toEqual([]);
    expect((await workspaces.readWorkspace(workspaceId)).last_active_at).toBe(clock.at);
  });
});
