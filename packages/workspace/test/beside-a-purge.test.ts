// Verifies: reference "Purge": what is written in the moment of a purge brings nothing back that it took.
import { stepChain } from "@cm/governance";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { ownedTypes } from "../src/documents/types.ts";
import { openWorkspaces, type ThreadMessage, type Workspaces, withWorkspaceTypes } from "../src/index.ts";

const day = 86_400_000;
const owner = { tenantId: "t", userId: "u", executionEnvironment: "desktop", policyBundleVersion: "1" } as const;
const task = { taskId: "t1", prompt: "hush", maxSteps: 5, allowNetwork: false, approvalMode: "never" } as const;
const said = (count: number): readonly ThreadMessage[] =>
  Array.from({ length: count }, (_, place) => {
    const messageId = `m${place}`;
    return { messageId, role: "user", content: `hush ${place}`, taskId: "t1", stepId: null, at: 1 };
  });

interface Running {
  readonly workspaces: Workspaces;
  readonly workspaceId: string;
  readonly sessionId: string;
}

const writers: Readonly<Record<string, (running: Running) => Promise<unknown>>> = {
  "a step": ({ workspaces, sessionId }) => workspaces.noteStep({ sessionId, taskId: "t2" }, 1),
  "a session's state": ({ workspaces, sessionId }) => workspaces.setSessionState(sessionId, "SESSION_PAUSED"),
  "a session's renewal": ({ workspaces, sessionId }) =>
    workspaces.resumeSession(sessionId, { expiresAt: 200 * day, policyBundleVersion: "2" }),
  "a task that begins": ({ workspaces, sessionId }) => workspaces.startTask(sessionId, { ...task, taskId: "t3" }),
  "a task that ends": ({ workspaces, sessionId }) =>
    workspaces.endTask({ sessionId, taskId: "t2" }, { status: "completed", messages: said(2) }),
  "a task that ends with a long thread": ({ workspaces, sessionId }) =>
    workspaces.endTask({ sessionId, taskId: "t2" }, { status: "completed", messages: said(1_001) }),
  "an artifact": ({ workspaces, workspaceId, sessionId }) => {
    const chain = stepChain({ workspaceId, sessionId, taskId: "t2", stepId: "t2.1" });
    return workspaces.addArtifact({ chain, name: "a", made: { type: "generated_file", text: "hush" } });
  },
  "a session that begins": ({ workspaces, workspaceId }) =>
    workspaces.startSession({ ...owner, scope: "general", workspaceId, expiresAt: 200 * day }),
  "a deletion of the history": ({ workspaces, sessionId }) => workspaces.deleteHistory(sessionId),
  "a deletion of the workspace": ({ workspaces, workspaceId }) => workspaces.deleteWorkspace(workspaceId),
  "another purge": ({ workspaces }) => workspaces.purge({ dryRun: false }),
};

/** A workspace with a history and a running task, without activity for so long that it may be purged. */
async function idle(records: ObjectStore): Promise<Running> {
  const clock = { at: 1 };
  const workspaces = openWorkspaces({ records, now: () => clock.at });
  const { session } = await workspaces.startSession({ ...owner, scope: "general", expiresAt: 200 * day });
  const [sessionId, workspaceId] = [session.session_id, session.workspace_id];
  await workspaces.setSessionState(sessionId, "SESSION_RUNNING");
  await workspaces.startTask(sessionId, task);
  await workspaces.endTask({ sessionId, taskId: "t1" }, { status: "completed", messages: said(2) });
  await workspaces.startTask(sessionId, { ...task, taskId: "t2" });
  clock.at += 91 * day;
  return { workspaces, workspaceId, sessionId };
}

describe.each(Object.entries(writers))("%s", (_name, write) => {
  it("brings nothing back of a workspace that is purged before any of its commits", async () => {
    for (let [before, isPurged] = [0, true]; isPurged; before += 1) {
      const records = createMemoryStore({ types: withWorkspaceTypes() });
      const running = await idle(records);
      const commit = records.commit.bind(records);
      let left = before;
      isPurged = false;
      records.commit = async (...given) => {
        left -= 1;
        if (left === -1) {
          isPurged = true;
          await running.workspaces.purge({ dryRun: false });
        }
        return commit(...given);
      };

      await write(running).catch(() => undefined);

      for (const type of isPurged ? ["workspace", ...ownedTypes] : []) {
        expect((await records.find({ type })).versions).toEqual([]);
      }
    }
  });
});
