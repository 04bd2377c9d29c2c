import assert from "node:assert/strict";
import { type SessionState, stepChain } from "@cm/governance";
import { isCmError, type ObjectStore, sealDocument, sha256 } from "@cm/object-model";
import {
  continuedThread,
  crashReport,
  openWorkspaces,
  type ThreadMessage,
  threadWithPrompt,
  type Workspaces,
} from "../../src/index.ts";

export interface World {
  readonly workspaces: Workspaces;
  readonly records: ObjectStore;
  /** Where tool calls and files are. */
  readonly store: ObjectStore;
  readonly clock: { at: number };
  /** Messages of a history that has parts. */
  readonly longThread: number;
  /** Another client of the same store. */
  open(): Workspaces;
}

export interface Law {
  readonly title: string;
  readonly run: (world: World) => Promise<void>;
}

const isCampaign = process.env.CM_CAMPAIGN === "1";

/** Two full parts of a history and a message; on a server, where each message is a write of its own, one full part and a message. */
const longThreads = isCampaign ? { here: 12_001, server: 12_001 } : { here: 2_001, server: 1_001 };

export const day = 86_400_000;
const owner = { tenantId: "t", userId: "u" };
const desktop = { ...owner, executionEnvironment: "desktop", policyBundleVersion: "1" } as const;
const task = (taskId: string, maxSteps = 10) =>
  ({ taskId, prompt: `do ${taskId}`, maxSteps, allowNetwork: false, approvalMode: "never" }) as const;

export interface Stores {
  readonly records: ObjectStore;
  readonly content?: ObjectStore;
  /** What another client opens; default: the same handle. */
  readonly again?: () => ObjectStore;
  /** Where the records are. Default: `here`, in this process. */
  readonly place?: keyof typeof longThreads;
}

export function worldOf({ records, content, again = () => records, place = "here" }: Stores): World {
  const clock = { at: 1_800_000_000_000 };
  const open = (store: ObjectStore) =>
    openWorkspaces({ records: store, now: () => clock.at, ...(content === undefined ? {} : { content }) });
  return {
    workspaces: open(records),
    records,
    store: content ?? records,
    clock,
    longThread: longThreads[place],
    open: () => open(again()),
  };
}

const code = (error: string) => (thrown: unknown) => isCmError(thrown, error as `${string}/${string}`);

async function running({ workspaces, clock }: World, path = "/work/a") {
  const started = await workspaces.startSession({ ...desktop, scope: "local", path, expiresAt: clock.at + 3_600_000 });
  const { session_id: sessionId, workspace_id: workspaceId } = started.session;
  await workspaces.setSessionState(sessionId, "SESSION_RUNNING");
  return { sessionId, workspaceId };
}

const said = (taskId: string, at: number, n: number): readonly ThreadMessage[] =>
  Array.from({ length: n }, (_, place) => ({
    messageId: `m${place}`,
    role: place === 0 ? "system" : place % 2 === 1 ? "user" : "assistant",
    content: `injected text ${place}`,
    ...(place % 2 === 1 ? { typed: `typed ${place}` } : {}),
    taskId,
    stepId: `${taskId}.1`,
    at,
  }));

async function addCall(store: ObjectStore, id: string, content: string): Promise<void> {
  const document = sealDocument(
    { type: "toolcall", id },
    { content, tool: "bash", args: {}, status: "ok", chat_ref: "chat:s" },
  );
  await store.commit([{ document, expect: "absent" }]);
}

async function addFile(store: ObjectStore, path: string, content: string): Promise<string> {
  const source = { type: "filesystem", filesystemId: "fs", path } as const;
  const document = sealDocument(
    { type: "file", source },
    { content, file_type: "ts", char_count: content.length, source_hash: sha256(content) },
  );
  const { results } = await store.commit([{ document, expect: "absent" }]);
  return results[0]?.id ?? "";
}

const resolution: readonly Law[] = [
  {
    title: "Workspace: a local one is found again by tenant, user and path, and renewed",
    run: async ({ workspaces, clock }) => {
      const request = { ...desktop, scope: "local", path: "/work/a", expiresAt: clock.at + 1 } as const;
      const first = await workspaces.startSession(request);
      clock.at += 1_000;
      const second = await workspaces.startSession({ ...request, path: "/work/a/" });
      const others = [{ tenantId: "t2" }, { userId: "u2" }, { path: "/work/b" }];
      const ids = await Promise.all(
        others.map(async (other) => (await workspaces.startSession({ ...request, ...other })).workspace.workspace_id),
      );

      assert.equal(second.workspace.workspace_id, first.workspace.workspace_id);
      assert.deepEqual([first.isNewWorkspace, second.isNewWorkspace], [true, false]);
      assert.equal(second.workspace.last_active_at, clock.at);
      assert.equal(new Set([...ids, first.workspace.workspace_id]).size, 4);
      assert.equal((await workspaces.readWorkspace(first.workspace.workspace_id)).created_at, clock.at - 1_000);
    },
  },
  {
    title: "Session: an id that is taken is told at once, also where its session was deleted or purged",
    run: async ({ workspaces, clock }) => {
      const request = { ...desktop, scope: "general", expiresAt: clock.at + 1, sessionId: "once" } as const;
      const taken = (error: unknown) => isCmError(error, "workspace/conflict") && error.message.includes("of this id");
      const { workspace } = await workspaces.startSession(request);

      await assert.rejects(workspaces.startSession(request), taken);
      await workspaces.deleteWorkspace(workspace.workspace_id);
      await assert.rejects(workspaces.startSession(request), taken);
      clock.at += 91 * day;
      await workspaces.purge({ dryRun: false });
      await assert.rejects(workspaces.startSession(request), taken);
    },
  },
  {
    title: "Workspace: a local one needs its path; a general one is always new; cloud is kept as a value",
    run: async ({ workspaces, clock }) => {
      const start = (scope: "local" | "general" | "cloud", path?: string) =>
        workspaces.startSession({ ...desktop, scope, expiresAt: clock.at, ...(path === undefined ? {} : { path }) });

      await assert.rejects(start("local"), code("workspace/invalid"));
      await assert.rejects(start("local", "relative"), code("workspace/invalid"));
      const [one, two, cloud] = [await start("general"), await start("general"), await start("cloud")];
      assert.notEqual(one.workspace.workspace_id, two.workspace.workspace_id);
      assert.deepEqual([cloud.workspace.scope, cloud.session.execution_environment], ["cloud", "desktop"]);
    },
  },
  {
    title: "Workspace: an explicit id wins over scope and path, of its owner alone",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { workspaceId } = await running(world);
      const request = { ...desktop, scope: "general", workspaceId, expiresAt: clock.at } as const;

      assert.equal((await workspaces.startSession(request)).workspace.workspace_id, workspaceId);
      await assert.rejects(workspaces.startSession({ ...request, userId: "u2" }), code("workspace/not-found"));
      await assert.rejects(workspaces.startSession({ ...request, workspaceId: "none" }), code("workspace/not-found"));
    },
  },
];

/** The table of the reference, row by row. */
const waits = ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"] as const;
const moves: Readonly<Record<SessionState, readonly SessionState[]>> = {
  SESSION_CREATED: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_RUNNING: [
    ...(["WAITING_FOR_LLM", "WAITING_FOR_TOOL", "WAITING_FOR_APPROVAL", "SESSION_PAUSED"] as const),
    ...(["SESSION_COMPLETED", "SESSION_FAILED", "SESSION_CANCELLED"] as const),
  ],
  WAITING_FOR_LLM: waits,
  WAITING_FOR_TOOL: waits,
  WAITING_FOR_APPROVAL: waits,
  SESSION_PAUSED: ["SESSION_RUNNING", "SESSION_COMPLETED", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_COMPLETED: [],
  SESSION_FAILED: [],
  SESSION_CANCELLED: [],
};
const states = Object.keys(moves) as readonly SessionState[];

/** A session that was brought into a state. */
async function sessionIn(world: World, state: SessionState): Promise<string> {
  const { workspaces, clock } = world;
  const request = { ...desktop, scope: "local", path: "/projects/states", expiresAt: clock.at + 3_600_000 } as const;
  const { session } = await workspaces.startSession(request);
  const way = moves.SESSION_RUNNING.includes(state) ? (["SESSION_RUNNING", state] as const) : [state];
  for (const next of way.filter((each) => each !== "SESSION_CREATED"))
    await workspaces.setSessionState(session.session_id, next);
  return session.session_id;
}

const machines: readonly Law[] = [
  {
    title: "Session: of the 81 pairs of states exactly those of the table are moves",
    run: async (world) => {
      const { workspaces } = world;
      for (const from of states) {
        const stays = await sessionIn(world, from);
        for (const to of states) {
          if (moves[from].includes(to)) {
            const moving = await sessionIn(world, from);
            assert.equal((await workspaces.setSessionState(moving, to)).status, to);
          } else await assert.rejects(workspaces.setSessionState(stays, to), code("governance/invalid-move"));
        }
        assert.equal((await workspaces.readSession(stays)).status, from);
      }
    },
  },
  {
    title: "Task: is taken in the live states of its session, and in no other",
    run: async (world) => {
      const taken: SessionState[] = [];
      for (const state of states) {
        const starting = world.workspaces.startTask(await sessionIn(world, state), task("t1"));
        const isTaken = await starting.then(
          () => true,
          (error) => !code("workspace/refused")(error),
        );
        if (isTaken) taken.push(state);
      }

      assert.deepEqual(taken, ["SESSION_RUNNING", "WAITING_FOR_LLM", "WAITING_FOR_TOOL", "WAITING_FOR_APPROVAL"]);
    },
  },
  {
    title: "Task: runs until it is completed, failed or cancelled, and none of these is left again",
    run: async (world) => {
      const { workspaces } = world;
      const { sessionId } = await running(world);
      const endings = ["completed", "failed", "cancelled"] as const;
      for (const first of endings) {
        await workspaces.startTask(sessionId, task(first));
        const named = { sessionId, taskId: first };
        const reason = first === "failed" ? { reason: "max_steps_exceeded" } : {};
        assert.equal((await workspaces.endTask(named, { status: first, messages: [], ...reason })).status, first);
        for (const status of endings)
          await assert.rejects(workspaces.endTask(named, { status, messages: [] }), code("workspace/conflict"));
        await assert.rejects(workspaces.startTask(sessionId, task(first)), code("workspace/conflict"));
        await assert.rejects(workspaces.noteStep(named, 1), code("workspace/conflict"));
      }

      const { tasks } = await workspaces.listTasks(sessionId);
      assert.deepEqual(tasks.map(({ status, reason }) => [status, reason]).sort(), [
        ["cancelled", null],
        ["completed", null],
        ["failed", "max_steps_exceeded"],
      ]);
      assert.equal((await workspaces.readSession(sessionId)).status, "SESSION_RUNNING");
    },
  },
];

const sessions: readonly Law[] = [
  {
    title: "Session: an incompatible client's stays created, takes no task, and is not resumed",
    run: async ({ workspaces, clock }) => {
      const { policyBundleVersion: _none, ...incompatible } = desktop;
      const { session } = await workspaces.startSession({ ...incompatible, scope: "general", expiresAt: clock.at + 9 });

      await assert.rejects(
        workspaces.setSessionState(session.session_id, "SESSION_RUNNING"),
        code("workspace/refused"),
      );
      await assert.rejects(workspaces.startTask(session.session_id, task("t1")), code("workspace/refused"));
      const renewal = { expiresAt: clock.at + 99, policyBundleVersion: "2" };
      assert.deepEqual(await workspaces.resumeSession(session.session_id, renewal), {
        outcome: "refused",
        reason: "incompatible",
      });
      assert.equal((await workspaces.readSession(session.session_id)).status, "SESSION_CREATED");
    },
  },
  {
    title: "Session: resuming renews policy and expiry; an expired one fails and is refused",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { sessionId } = await running(world);
      await workspaces.setSessionState(sessionId, "SESSION_PAUSED");
      const renewal = { expiresAt: clock.at + 7_200_000, policyBundleVersion: "2" };

      const resumed = await workspaces.resumeSession(sessionId, renewal);
      const session = await workspaces.readSession(sessionId);
      assert.deepEqual(
        [resumed.outcome, session.status, session.expires_at, session.policy_bundle_version],
        ["resumed", "SESSION_RUNNING", renewal.expiresAt, "2"],
      );

      clock.at = renewal.expiresAt;
      const late = { ...renewal, expiresAt: clock.at + 1 };
      assert.deepEqual(await workspaces.resumeSession(sessionId, late), { outcome: "refused", reason: "expired" });
      assert.equal((await workspaces.readSession(sessionId)).status, "SESSION_FAILED");
      assert.deepEqual(await workspaces.resumeSession(sessionId, late), { outcome: "refused", reason: "ended" });
    },
  },
  {
    title:
      "Session: holds feature flags, which a resume renews, and says apart when its policy runs out and until when it may be resumed",
    run: async ({ workspaces, clock }) => {
      const expiresAt = clock.at + 1_000;
      const request = { ...desktop, scope: "general", expiresAt, resumableUntil: expiresAt + day } as const;
      const { session } = await workspaces.startSession({ ...request, featureFlags: { beta: true } });
      const plain = await workspaces.startSession({ ...desktop, scope: "general", expiresAt });
      assert.deepEqual([session.expires_at, session.feature_flags], [expiresAt, { beta: true }]);
      assert.deepEqual([plain.session.resumable_until, plain.session.feature_flags], [expiresAt, {}]);
      await workspaces.setSessionState(session.session_id, "SESSION_RUNNING");
      await workspaces.setSessionState(session.session_id, "SESSION_PAUSED");

      clock.at = expiresAt + day - 1;
      const renewal = { expiresAt: clock.at + 5, policyBundleVersion: "2" };
      const resumed = await workspaces.resumeSession(session.session_id, renewal);
      const kept = await workspaces.readSession(session.session_id);
      await workspaces.resumeSession(session.session_id, { ...renewal, featureFlags: { beta: false, other: true } });
      const renewed = await workspaces.readSession(session.session_id);

      assert.equal(resumed.outcome, "resumed");
      assert.deepEqual(
        [kept.expires_at, kept.resumable_until, kept.feature_flags],
        [renewal.expiresAt, renewal.expiresAt, { beta: true }],
      );
      assert.deepEqual(renewed.feature_flags, { beta: false, other: true });
    },
  },
  {
    title: "Task: copies its session's owner, has 1 to 200 steps, and is taken only where the session lives",
    run: async (world) => {
      const { workspaces } = world;
      const { sessionId, workspaceId } = await running(world);

      const { task: started } = await workspaces.startTask(sessionId, task("t1"));
      assert.deepEqual([started.workspace_id, started.tenant_id, started.user_id], [workspaceId, "t", "u"]);
      for (const steps of [0, 201, 1.5]) {
        await assert.rejects(workspaces.startTask(sessionId, task("t2", steps)), code("governance/limit"));
      }
      await workspaces.setSessionState(sessionId, "SESSION_PAUSED");
      await assert.rejects(workspaces.startTask(sessionId, task("t2")), code("workspace/refused"));
    },
  },
  {
    title: "Task: warned exactly once at floor(0.8 max), also when a step is told twice",
    run: async (world) => {
      const { workspaces } = world;
      const { sessionId } = await running(world);
      await workspaces.startTask(sessionId, task("t1", 7));
      const named = { sessionId, taskId: "t1" };

      const noted = [];
      for (const taken of [1, 2, 3, 4, 5, 5, 6, 7]) noted.push(await workspaces.noteStep(named, taken));

      assert.deepEqual(
        noted.map(({ warns }) => warns),
        [false, false, false, false, true, false, false, false],
      );
      assert.deepEqual(noted.map(({ isUsedUp }) => isUsedUp).lastIndexOf(false), 6);
    },
  },
  {
    title: "Task: ends once; a second ending is a conflict, another session's id is not found",
    run: async (world) => {
      const { workspaces } = world;
      const [one, two] = [await running(world), await running(world)];
      await workspaces.startTask(one.sessionId, task("t1"));
      const end = { status: "cancelled", messages: [] } as const;

      await assert.rejects(
        workspaces.endTask({ sessionId: two.sessionId, taskId: "t1" }, end),
        code("workspace/not-found"),
      );
      await workspaces.endTask({ sessionId: one.sessionId, taskId: "t1" }, end);
      const again = workspaces.endTask({ sessionId: one.sessionId, taskId: "t1" }, { ...end, status: "completed" });
      await assert.rejects(again, code("workspace/conflict"));
      assert.equal((await workspaces.startTask(one.sessionId, task("t2"))).task.status, "running");
    },
  },
];

/** Of many at once one wins, and many are listed in order. */
const many: readonly Law[] = [
  {
    title: "Workspace: clients that start at once in one folder share one workspace",
    run: async ({ open, clock }) => {
      const request = { ...desktop, scope: "local", path: "/work/race", expiresAt: clock.at + 1 } as const;

      const started = await Promise.all(Array.from({ length: 8 }, () => open().startSession(request)));

      assert.equal(new Set(started.map(({ workspace }) => workspace.workspace_id)).size, 1);
      assert.equal(started.filter(({ isNewWorkspace }) => isNewWorkspace).length, 1);
      assert.equal((await open().listSessions(started[0]?.workspace.workspace_id ?? "")).sessions.length, 8);
    },
  },
  {
    title: "Session list: created, last task, number of distinct tasks, newest first, in pages",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { sessionId: oldest, workspaceId } = await running(world);
      for (const id of ["t1", "t2"]) {
        clock.at += 1_000;
        await workspaces.startTask(oldest, task(id));
        await workspaces.startTask(oldest, task(id));
      }
      const lastTaskAt = clock.at;
      clock.at += 1_000;
      const { sessionId: newest } = await running(world);

      const first = await workspaces.listSessions(workspaceId, { limit: 1 });
      const second = await workspaces.listSessions(workspaceId, { limit: 1, cursor: first.next ?? "" });

      assert.deepEqual(
        first.sessions.map((row) => [row.sessionId, row.taskCount, row.lastTaskAt]),
        [[newest, 0, null]],
      );
      assert.deepEqual(
        second.sessions.map((row) => [row.sessionId, row.createdAt, row.taskCount, row.lastTaskAt]),
        [[oldest, lastTaskAt - 2_000, 2, lastTaskAt]],
      );
      assert.equal(second.next, undefined);
      await assert.rejects(workspaces.listSessions("none"), code("workspace/not-found"));
    },
  },
];

const histories: readonly Law[] = [
  {
    title: "session_history: one per session, replaced after every task, also a failed and a cancelled one",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { sessionId, workspaceId } = await running(world);
      assert.equal(await workspaces.readHistory(sessionId), undefined);
      for (const [place, status] of (["completed", "failed", "cancelled"] as const).entries()) {
        const taskId = `t${place}`;
        await workspaces.startTask(sessionId, task(taskId));
        await workspaces.endTask({ sessionId, taskId }, { status, messages: said(taskId, clock.at, 2 * place + 2) });
        const history = await workspaces.readHistory(sessionId);
        assert.deepEqual(
          [history?.snapshotAfterTaskId, history?.messages.length, history?.workspaceId, history?.artifactType],
          [taskId, 2 * place + 2, workspaceId, "session_history"],
        );
      }
      const versions = (await world.records.history(`session_history:${sessionId}`)).versions.length;
      assert.equal(versions, 3);
    },
  },
  {
    title: "session_history: one of several parts is whole and in order, and is deleted with all of them",
    run: async (world) => {
      const { workspaces, clock, longThread } = world;
      const { sessionId } = await running(world);
      const lengths = [Math.floor(longThread / 2), longThread];
      for (const [place, length] of lengths.entries()) {
        const taskId = `t${place}`;
        await workspaces.startTask(sessionId, task(taskId));
        const messages = said("t0", clock.at, length);
        await workspaces.endTask({ sessionId, taskId }, { status: "completed", messages });
      }

      const { messages = [], snapshotAfterTaskId } = (await workspaces.readHistory(sessionId)) ?? {};
      assert.deepEqual([snapshotAfterTaskId, await workspaces.snapshotAfterTask(sessionId)], ["t1", "t1"]);
      assert.deepEqual(
        messages.map(({ messageId }) => messageId),
        Array.from({ length: lengths[1] ?? 0 }, (_, place) => `m${place}`),
      );
      assert.equal(messages.at(-1)?.content, `injected text ${(lengths[1] ?? 0) - 1}`);

      await workspaces.deleteHistory(sessionId);
      assert.equal(await workspaces.readHistory(sessionId), undefined);
      assert.equal(await workspaces.snapshotAfterTask(sessionId), undefined);
      await workspaces.startTask(sessionId, task("t2"));
      await workspaces.endTask(
        { sessionId, taskId: "t2" },
        { status: "completed", messages: said("t0", clock.at, 1_001) },
      );
      const again = await workspaces.readHistory(sessionId);
      assert.deepEqual([again?.messages.length, again?.messages[1_000]?.content], [1_001, "injected text 1000"]);
    },
  },
  {
    title: "session_history: has what was typed, not what was put around it, and system messages flagged",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { sessionId } = await running(world);
      await workspaces.startTask(sessionId, task("t1"));
      await workspaces.endTask({ sessionId, taskId: "t1" }, { status: "completed", messages: said("t1", clock.at, 3) });

      const { messages = [] } = (await workspaces.readHistory(sessionId)) ?? {};

      assert.deepEqual(
        messages.map(({ role, isSystem, content }) => [role, isSystem, content]),
        [
          ["system", true, "injected text 0"],
          ["user", false, "typed 1"],
          ["assistant", false, "injected text 2"],
        ],
      );
    },
  },
  {
    title: "session_history: deleting one session's leaves the others, and is repeatable",
    run: async (world) => {
      const { workspaces, clock } = world;
      const [one, two] = [await running(world), await running(world)];
      for (const { sessionId } of [one, two]) {
        await workspaces.startTask(sessionId, task("t1"));
        await workspaces.endTask(
          { sessionId, taskId: "t1" },
          { status: "completed", messages: said("t1", clock.at, 2) },
        );
      }

      assert.deepEqual(
        [await workspaces.deleteHistory(one.sessionId), await workspaces.deleteHistory(one.sessionId)],
        [true, false],
      );
      assert.equal(await workspaces.readHistory(one.sessionId), undefined);
      assert.equal((await workspaces.readHistory(two.sessionId))?.messages.length, 2);
    },
  },
  {
    title:
      "Two resumes: a crash leaves the task with id, prompt, last step and maximum; the same id adds no prompt again",
    run: async (world) => {
      const { workspaces, open, clock } = world;
      const { sessionId } = await running(world);
      await workspaces.startTask(sessionId, task("t1", 10));
      for (const taken of [1, 2, 3]) await workspaces.noteStep({ sessionId, taskId: "t1" }, taken, 100 * taken);
      for (const tokens of [350, 340]) await workspaces.noteStep({ sessionId, taskId: "t1" }, 3, tokens);

      const after = open();
      assert.equal((await after.readSession(sessionId)).tokens_used, 350);
      const report = crashReport(await after.runningTasks(sessionId));
      assert.deepEqual(report, [{ sessionId, taskId: "t1", prompt: "do t1", lastStep: 3, maxSteps: 10 }]);
      const prompt = {
        messageId: "p",
        role: "user",
        content: "do t1",
        taskId: "t1",
        stepId: null,
        at: clock.at,
      } as const;
      const thread = threadWithPrompt([], prompt);
      assert.equal((await after.startTask(sessionId, task("t1"))).isContinued, true);
      assert.equal(threadWithPrompt(thread, { ...prompt, messageId: "p2" }).length, 1);
      assert.equal(threadWithPrompt(thread, { ...prompt, messageId: "p3", taskId: "t2" }).length, 2);
      assert.equal((await after.startTask(sessionId, task("t2"))).isContinued, false);
    },
  },
  {
    title: "Two resumes: continue is a new session in the same workspace with the thread of the history",
    run: async (world) => {
      const { workspaces, clock } = world;
      const { sessionId, workspaceId } = await running(world);
      await workspaces.startTask(sessionId, task("t1"));
      await workspaces.endTask({ sessionId, taskId: "t1" }, { status: "completed", messages: said("t1", clock.at, 3) });
      await workspaces.setSessionState(sessionId, "SESSION_COMPLETED");

      const request = {
        ...desktop,
        scope: "local",
        workspaceId,
        continuedFrom: sessionId,
        expiresAt: clock.at + 1,
      } as const;
      const { session } = await workspaces.startSession(request);
      const thread = continuedThread(await workspaces.readHistory(sessionId));

      assert.notEqual(session.session_id, sessionId);
      assert.deepEqual([session.workspace_id, session.continued_from], [workspaceId, sessionId]);
      assert.deepEqual(
        thread.map(({ content }) => content),
        ["typed 1", "injected text 2"],
      );
      await assert.rejects(workspaces.startSession({ ...request, userId: "u2" }), code("workspace/not-found"));
    },
  },
];

const goings: readonly Law[] = [
  {
    title: "Artifacts: tool_output shares the tool call's object; diffs and generated files have their own text",
    run: async (world) => {
      const { workspaces, store, clock } = world;
      const { sessionId, workspaceId } = await running(world);
      await addCall(store, "call_1", "all tests pass");
      const chain = stepChain({ workspaceId, sessionId, taskId: "t1", stepId: "t1.1" });
      clock.at += 5;

      const output = await workspaces.addArtifact({
        chain,
        name: "out",
        made: { type: "tool_output", object: "call_1" },
      });
      const diff = await workspaces.addArtifact({ chain, name: "d", made: { type: "file_diff", text: "+a" } });
      const image = { type: "generated_file", base64: "AAEC" } as const;
      const made = await workspaces.addArtifact({ chain, name: "i", mediaType: "image/png", made: image });

      assert.deepEqual([output.object, output.body], ["call_1", null]);
      assert.equal((await workspaces.readArtifact(output.artifact_id)).body, "all tests pass");
      assert.equal((await workspaces.readArtifact(diff.artifact_id)).body, "+a");
      assert.equal((await workspaces.readArtifact(made.artifact_id)).fields.encoding, "base64");
      assert.deepEqual([output.task_id, output.step_id], ["t1", "t1.1"]);
      assert.equal((await workspaces.listArtifacts(workspaceId, { sessionId })).artifacts.length, 3);
      assert.equal((await workspaces.readWorkspace(workspaceId)).last_active_at, clock.at);
      const missing = workspaces.addArtifact({ chain, name: "x", made: { type: "tool_output", object: "none" } });
      await assert.rejects(missing, code("workspace/not-found"));
    },
  },
  {
    title: "Deletion: everything of a workspace is gone for readers, other workspaces and project files are not",
    run: async (world) => {
      const { workspaces, store, clock } = world;
      const [one, two, other] = [await running(world), await running(world), await running(world, "/work/b")];
      const file = await addFile(store, "/work/a/x.ts", "+a");
      const artifacts: string[] = [];
      for (const { sessionId, workspaceId } of [one, two, other]) {
        await workspaces.startTask(sessionId, task("t1"));
        const chain = stepChain({ workspaceId, sessionId, taskId: "t1", stepId: "t1.1" });
        const made = { type: "generated_file", text: "+a" } as const;
        artifacts.push((await workspaces.addArtifact({ chain, name: "x", made })).artifact_id);
        await workspaces.endTask(
          { sessionId, taskId: "t1" },
          { status: "completed", messages: said("t1", clock.at, 2) },
        );
      }

      const { deleted, failedBatches } = await workspaces.deleteWorkspace(one.workspaceId);

      assert.ok(deleted >= 10);
      assert.equal(failedBatches, 0);
      const gone = [
        () => workspaces.readWorkspace(one.workspaceId),
        () => workspaces.listSessions(one.workspaceId),
        () => workspaces.readHistory(one.sessionId),
        () => workspaces.readHistory(two.sessionId),
        () => workspaces.readArtifact(artifacts[0] ?? ""),
        () => workspaces.startTask(one.sessionId, task("t2")),
        () => workspaces.deleteWorkspace(one.workspaceId),
        () => workspaces.deleteWorkspace("none"),
      ];
      for (const reading of gone) await assert.rejects(reading, code("workspace/not-found"));
      assert.equal((await workspaces.readHistory(other.sessionId))?.messages.length, 2);
      assert.equal((await workspaces.readArtifact(artifacts[2] ?? "")).body, "+a");
      assert.equal((await store.getMany([file])).get(file)?.document?.content, "+a");
      const again = await running(world);
      assert.notEqual(again.workspaceId, one.workspaceId);
    },
  },
  {
    title:
      "Purge: after 90 days without activity, a dry run first; files with the same text, tool calls and audit stay, and the audit says so",
    run: async (world) => {
      const { workspaces, store, clock } = world;
      const idle = await running(world, "/work/idle");
      await workspaces.startTask(idle.sessionId, task("t1"));
      const file = await addFile(store, "/work/idle/x.ts", "same text");
      await addCall(store, "call_1", "same text");
      const chain = stepChain({ ...idle, taskId: "t1", stepId: "t1.1" });
      const made = { type: "generated_file", text: "same text" } as const;
      const artifact = await workspaces.addArtifact({ chain, name: "x", made });
      await workspaces.addArtifact({ chain, name: "o", made: { type: "tool_output", object: "call_1" } });
      clock.at += 1;
      const busy = await running(world, "/work/busy");
      clock.at += 90 * day - 1;
      assert.deepEqual(await workspaces.purge(), []);
      clock.at += 1;

      const dry = await workspaces.purge();
      assert.deepEqual(
        dry.map(({ workspaceId, sessions }) => [workspaceId, sessions]),
        [[idle.workspaceId, [idle.sessionId]]],
      );
      assert.equal((await workspaces.readArtifact(artifact.artifact_id)).body, "same text");

      const purged = await workspaces.purge({ dryRun: false });
      assert.deepEqual(purged, dry);
      assert.deepEqual(purged[0]?.toolCalls, ["call_1"]);
      await assert.rejects(workspaces.readWorkspace(idle.workspaceId), code("workspace/not-found"));
      const { events } = await workspaces.audit.bySession(idle.sessionId);
      assert.deepEqual(
        events.map(({ eventType, workspaceId, payload }) => [eventType, workspaceId, payload]),
        [["workspace_purged", idle.workspaceId, { objects: purged[0]?.objects, inactiveDays: 90 }]],
      );
      const versions = await Promise.all(
        [`artifact:${artifact.artifact_id}`, `task:${idle.sessionId}:t1`, `workspace:${idle.workspaceId}`].map((id) =>
          world.records.history(id).then((page) => page.versions),
        ),
      );
      assert.ok(versions.flat().every(({ erased }) => erased !== undefined));
      const found = await store.getMany([file, "call_1"]);
      assert.deepEqual(
        [...found.values()].map(({ document }) => document?.content),
        ["same text", "same text"],
      );
      assert.equal((await workspaces.readWorkspace(busy.workspaceId)).state, "live");
      assert.notEqual((await running(world, "/work/idle")).workspaceId, idle.workspaceId);
    },
  },
];

/** What a kind of store can break: races, lists, long documents, erasures. */
const ofStores: readonly Law[] = [...many, ...histories, ...goings];

export const workspaceLaws: readonly Law[] = [...resolution, ...machines, ...sessions, ...ofStores];

/** For servers: all laws in a campaign, else those of stores; the others are shown in memory and on SQLite. */
export const serverLaws: readonly Law[] = isCampaign ? workspaceLaws : ofStores;
