// @module-tag process
// Verifies: decisions 0123 and 0151: any server of a store reaches a run that another one executes, and answers its calls.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStateStore, openLineage } from "@cm/lineage";
import { createMemoryStore } from "@cm/object-model";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEvents } from "../../src/client.ts";
import { accessOf } from "../../src/http/access.ts";
import { announcedAddress } from "../../src/http/announced-address.ts";
import type { ServerOptions } from "../../src/server.ts";
import { serverTypes } from "../../src/store/open-store.ts";
import { answerOf, governedServer } from "../support/governed.ts";
import { gate, presetOf, serverWith } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
let folder: string;
beforeAll(async () => {
  scripted = await startScriptedModel();
  folder = folderWith({ "a.txt": "alpha\n" });
});
afterAll(async () => {
  await scripted.close();
  removed(folder);
});

/** A run that one of two servers executes, and whose first answer waits. */
async function runOfAnother(more: Partial<ServerOptions> = {}) {
  const { open, opened } = gate();
  const play = scripted.play(async ({ index }) => {
    if (index === 0) await opened;
    return index === 0 ? { calls: [{ name: "read", args: { path: "a.txt" } }] } : { text: "Done." };
  });
  const shared = { store: createMemoryStore({ types: serverTypes }), states: createMemoryStateStore() };
  const presets = { p: presetOf(play, { folders: ["."] }) };
  const own = await serverWith(presets, folder, { ...shared, ...more });
  const other = await serverWith(presets, folder, shared);
  const begun = await own.post("/api/conversations/run", { input: "Read.", transport: "stream" });
  const { session_id: id } = (await begun.json()) as { session_id: string };
  const stop = async () => {
    open();
    await own.stop();
    await other.stop();
  };
  return { play, own, other, id, open, stop, ...shared };
}

/** A governed run of one of two servers, whose command waits for a person. */
async function waitingElsewhere(access = accessOf([])) {
  const shared = { store: createMemoryStore({ types: serverTypes }), access };
  const call = { id: "call-1", name: "bash", args: { command: "echo ran >> ran.txt" } };
  const play = scripted.play([{ calls: [call] }, { text: "Done." }]);
  const presets = { p: presetOf(play, { folders: ["."] }) };
  const own = await governedServer(presets, folder, { server: shared });
  const other = await governedServer(presets, folder, { server: shared });
  const { runId } = await own.runtime.start({ kind: "root" }, { input: "Run it.", transport: "stream" });
  await expect.poll(() => own.governance.approvals.waiting().length).toBe(1);
  const [{ approvalId = "" } = {}] = own.governance.approvals.waiting();
  const stop = async () => {
    await own.stop();
    await other.stop();
  };
  return { own, other, runId, approvalId, stop };
}

describe("a call that waits for a person on another server", () => {
  it.each(["approved", "denied"])(
    "is listed with those of all servers, and %s once, at whichever",
    async (decision) => {
      const { own, other, runId, approvalId, stop } = await waitingElsewhere();

      const lists = await Promise.all([own, other].map((server) => server.json("/api/governance/approvals")));
      const ofSession = await other.json(`/api/governance/approvals?session_id=${runId}`);
      const ofNone = await other.json("/api/governance/approvals?session_id=none");
      const answers = await Promise.all([1, 2, 3].map(() => answerOf(other, approvalId, { decision })));
      const [given] = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.json()));
      await own.runtime.live.get(runId)?.done;
      const later = await other.json("/api/governance/approvals");

      const items = [{ approval_id: approvalId, session_id: runId, tool: "bash" }];
      expect(lists).toMatchObject([
        { items, unreachable_servers: 0 },
        { items, unreachable_servers: 0 },
      ]);
      expect([ofSession, ofNone]).toMatchObject([{ items }, { items: [] }]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      expect(given).toMatchObject({ approval_id: approvalId, decision, decided_by: "local" });
      expect(existsSync(join(folder, "ran.txt"))).toBe(decision === "approved");
      expect(later).toEqual({ items: [], unreachable_servers: 0 });
      expect(await own.runtime.lineage.run(runId)).toMatchObject({ status: "committed", output: "Done." });
      rmSync(join(folder, "ran.txt"), { force: true });
      await stop();
    },
  );

  it("is said to be out of reach where its server is, and nowhere else", async () => {
    const { own, other, approvalId, stop } = await waitingElsewhere();
    const list = () => other.json("/api/governance/approvals");
    const answer = async (server: typeof own, id: string) =>
      (await answerOf(server, id, { decision: "approved" })).status;

    await own.runtime.lineage.announce(announcedAddress("http://127.0.0.1:9"));
    const nowhere = [await list(), await answer(other, approvalId)];
    await own.runtime.lineage.announce("http://127.0.0.1:9");
    const unnamed = [await list(), await answer(other, approvalId)];
    const atItsOwn = [await answer(own, "none"), await answer(own, approvalId)];

    expect([nowhere, unnamed]).toEqual([
      [{ items: [], unreachable_servers: 1 }, 503],
      [{ items: [], unreachable_servers: 1 }, 503],
    ]);
    expect(atItsOwn).toEqual([404, 200]);
    await stop();
  });

  it("leaves its session and its task to its server: no other one takes it for interrupted, or deletes what it said", async () => {
    const { own, other, runId, approvalId, stop } = await waitingElsewhere();
    const session = `/api/governance/sessions/${runId}`;
    const { workspace_id, incomplete_tasks } = await other.json<{
      readonly workspace_id: string;
      readonly incomplete_tasks: readonly object[];
    }>(session);
    const recovered = await other.post(`${session}/tasks/${runId}/recover`);
    const deleted = [`${session}/history`, `/api/governance/workspaces/${workspace_id}`].map((path) =>
      fetch(`${other.url}${path}`, { method: "DELETE" }),
    );
    const refusals = (await Promise.all(deleted)).map(({ status }) => status);
    await answerOf(own, approvalId, { decision: "denied" });
    await own.runtime.live.get(runId)?.done;

    const story = (await own.audit(runId)).map(({ eventType }) => eventType);

    expect(incomplete_tasks).toEqual([]);
    expect([recovered.status, ...refusals]).toEqual([404, 409, 409]);
    expect(story.filter((type) => /recovered|resumed|deleted/.test(type))).toEqual([]);
    await stop();
  });

  it("is decided in the name of the token that its own server knows", async () => {
    const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("secret")));
    const { own, other, runId, approvalId, stop } = await waitingElsewhere(accessOf([{ name: "ada", sha256 }]));
    const asked = (authorization: string) =>
      fetch(`${other.url}/api/governance/approvals/${approvalId}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: '{"decision":"denied"}',
      });

    const refused = await asked("Bearer wrong");
    const decided = await asked("Bearer secret");
    await own.runtime.live.get(runId)?.done;

    expect(refused.status).toBe(401);
    expect(await decided.json()).toMatchObject({ decision: "denied", decided_by: "ada" });
    await stop();
  });
});

describe("a run that another server executes", () => {
  it.each(["conversations", "sessions"])(
    "is steered through %s, each message once at whichever server",
    async (kind) => {
      const { play, own, other, id, open, stop } = await runOfAnother();
      const message = { input: "Be quick.", message_id: "m1" };

      const said = [other, own, other].map((server) => server.post(`/api/${kind}/${id}/steer`, message));
      const accepted = await Promise.all((await Promise.all(said)).map((answer) => answer.json()));
      open();
      await own.runtime.live.get(id)?.done;

      expect(accepted.filter((answer) => (answer as { accepted?: boolean }).accepted === true)).toHaveLength(1);
      expect(JSON.stringify(play.requests[1]?.body).split("Be quick.")).toHaveLength(2);
      await stop();
    },
  );

  it.each(["conversations", "sessions"])("is read through %s from its beginning, and behind an event", async (kind) => {
    const { own, other, id, open, stop } = await runOfAnother();
    const idsOf = async (answer: Response) => {
      const ids: number[] = [];
      for await (const event of readEvents(answer)) ids.push(Number(event.id));
      return ids;
    };

    const [whole, rest] = await Promise.all([
      other.get(`/api/${kind}/${id}/events`),
      other.get(`/api/${kind}/${id}/events`, { "last-event-id": "1" }),
    ]);
    open();
    const [all, behind] = await Promise.all([idsOf(whole), idsOf(rest)]);

    expect(whole.headers.get("content-type")).toContain("text/event-stream");
    expect(all).toEqual(Array.from({ length: own.runtime.live.get(id)?.buffer.lastId ?? 0 }, (_, n) => n + 1));
    expect(behind).toEqual(all.slice(1));
    await stop();
  });

  it.each(["conversations", "sessions"])("is interrupted through %s, and counted", async (kind) => {
    const { own, other, id, stop } = await runOfAnother();

    const interrupted = await (await other.post(`/api/${kind}/${id}/interrupt`)).json();
    await own.runtime.live.get(id)?.done;
    const again = await other.post(`/api/conversations/${id}/interrupt`);

    expect(interrupted).toEqual({ interrupted: 1 });
    expect(await again.json()).toEqual({ interrupted: 0 });
    expect((await other.runtime.lineage.run(id)).status).toBe("failed");
    await stop();
  });

  it("is not reached without its own server's token", async () => {
    const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("secret")));
    const { other, id, own, stop } = await runOfAnother();
    const closed = { "content-type": "application/json" };
    const third = await serverWith({ p: presetOf(scripted.play([])) }, folder, {
      ...{ store: own.store, states: own.states },
      access: accessOf([{ name: "me", sha256 }]),
    });

    const refused = await fetch(`${third.url}/api/sessions/${id}/interrupt`, { method: "POST", headers: closed });
    const status = await (await other.get(`/api/sessions/${id}/status`)).json();

    expect(refused.status).toBe(401);
    expect(status).toEqual({ session_id: id, status: "created" });
    await third.stop();
    await stop();
  });

  it("is refused where its server's address leads elsewhere, in no circle, or nowhere", async () => {
    const { own, other, id, stop } = await runOfAnother();
    const steer = async () => (await other.post(`/api/sessions/${id}/steer`, { input: "x" })).status;

    await own.runtime.lineage.announce(announcedAddress(other.url));
    const circle = await steer();
    await own.runtime.lineage.announce(announcedAddress("http://127.0.0.1:9"));
    const nowhere = await steer();

    expect([circle, nowhere]).toEqual([409, 503]);
    await stop();
  });

  it("is handed on to loopback of this machine alone", async () => {
    const { own, other, id, stop } = await runOfAnother();
    const steer = async () => (await other.post(`/api/sessions/${id}/steer`, { input: "x" })).status;

    const ofThisMachine = await steer();
    await own.runtime.lineage.announce(announcedAddress(own.url, "another"));
    const ofAnother = await steer();
    await own.runtime.lineage.announce(own.url);
    const ofNobodyKnowsWhich = await steer();

    expect([ofThisMachine, ofAnother, ofNobodyKnowsWhich]).toEqual([200, 409, 409]);
    await stop();
  });

  it("is reached with a token that its own server knows, and refused by that one with another", async () => {
    const tokenOf = async (name: string) => ({
      name,
      sha256: Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(name))),
    });
    const { open, opened } = gate();
    const play = scripted.play(async () => {
      await opened;
      return { text: "Done." };
    });
    const shared = { store: createMemoryStore({ types: serverTypes }), states: createMemoryStateStore() };
    const known = await tokenOf("known");
    const own = await serverWith({ p: presetOf(play) }, folder, { ...shared, access: accessOf([known]) });
    const access = accessOf([known, await tokenOf("elsewhere")]);
    const other = await serverWith({ p: presetOf(play) }, folder, { ...shared, access });
    const post = (url: string, token: string, body: object) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const run = { input: "Say.", transport: "stream" };
    const begun = await post(`${own.url}/api/conversations/run`, "known", run);
    const { session_id: id } = (await begun.json()) as { session_id: string };
    const steer = async (token: string) =>
      (await post(`${other.url}/api/sessions/${id}/steer`, token, { input: "x" })).status;

    const statuses = [await steer("known"), await steer("elsewhere"), await steer("unknown")];

    expect(statuses).toEqual([200, 401, 401]);
    open();
    await own.stop();
    await other.stop();
  });

  it("is refused where its process said no address, or is gone", async () => {
    const shared = { store: createMemoryStore({ types: serverTypes }), states: createMemoryStateStore() };
    let clock = Date.now();
    const lineage = await openLineage({ store: shared.store, now: () => clock, leaseMs: 60_000 });
    const { session_id: id } = await lineage.root({ input: "Hello." });
    const other = await serverWith({ p: presetOf(scripted.play([])) }, folder, shared);
    const answer = async () => (await other.get(`/api/sessions/${id}/events`)).json();

    const silent = await answer();
    clock -= 120_000;
    await lineage.renew();
    const gone = await answer();

    expect([silent, gone]).toMatchObject([
      { error: "not_ready", message: expect.stringContaining("--address") },
      { error: "not_ready", message: expect.stringContaining("is gone") },
    ]);
    await other.stop();
  });

  it("needs an address that is one", async () => {
    const started = serverWith({ p: presetOf(scripted.play([])) }, folder, { address: "10.0.0.7:7420" });

    await expect(started).rejects.toMatchObject({ code: "server/usage" });
  });
});
