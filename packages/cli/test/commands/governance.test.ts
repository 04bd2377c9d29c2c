// @module-tag process
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { governedEvent, sessionChain, stepChain } from "@cm/governance";
import { openSqliteStore } from "@cm/store-sqlite";
import { openWorkspaces, withWorkspaceTypes } from "@cm/workspace";
import { beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { sampleFolder } from "../support/sample-file.ts";

const sample = sampleFolder();
const store = sample.at("governed.sqlite");
const cm = (...args: string[]) => inProcess(["--store", store, ...args]);
const owner = { tenantId: "local", userId: "ada" };

/** Two workspaces, of which one was not used for years, with a session each. */
beforeAll(async () => {
  const records = openSqliteStore({ path: store, types: withWorkspaceTypes() });
  for (const [name, at] of [
    ["old", Date.UTC(2020, 0, 1)],
    ["new", Date.now()],
  ] as const) {
    const workspaces = openWorkspaces({ records, now: () => at });
    const request = {
      ...owner,
      scope: "local" as const,
      path: `/work/${name}`,
      executionEnvironment: "desktop" as const,
    };
    const { workspace } = await workspaces.startSession({
      ...request,
      sessionId: name,
      expiresAt: at + 1_000,
      policyBundleVersion: "1",
    });
    const chain = sessionChain({ workspaceId: workspace.workspace_id, sessionId: name });
    const facts = { ...owner, chain, component: "SessionService" as const };
    workspaces.audit.emit(governedEvent("session_created", { ...facts, eventId: `${name}-2`, at }));
    workspaces.audit.emit(
      governedEvent("policy_bundle_issued", {
        ...facts,
        eventId: `${name}-1`,
        at,
        payload: { policyBundleVersion: "1" },
      }),
    );
    const inside = stepChain({ ...chain, taskId: "t1", stepId: "step-1" });
    const expiresAt = Date.UTC(2020, 0, 1, 0, 5);
    const asking = { ...facts, chain: inside, eventId: `${name}-0`, at, payload: { expiresAt } };
    workspaces.audit.emit(governedEvent("approval_requested", asking));
    await workspaces.audit.flush();
  }
  await records.close();
});

describe("a store of governed sessions", () => {
  it("is listed by its workspaces, newest activity first", async () => {
    const { status, stdout } = await cm("workspaces");
    const json = jsonLines((await cm("workspaces", "--json")).stdout);

    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/\s{2,}/).slice(1, 5))).toEqual([
      ["scope", "folder", "user", "sessions"],
      ["local", "/work/new", "ada", "1"],
      ["local", "/work/old", "ada", "1"],
      [],
    ]);
    expect(json).toMatchObject([
      { folder: "/work/new", sessions: ["new"] },
      { folder: "/work/old", sessions: ["old"] },
    ]);
  });

  it("tells what happened in a session, in order and by time", async () => {
    const { stdout } = await cm("audit", "old");
    const json = jsonLines((await cm("audit", "old", "--json", "--from", "2020-01-01T00:00:00Z")).stdout);
    const later = await cm("audit", "old", "--from", "2021-01-01T00:00:00Z");
    const unknown = await cm("audit", "nosuch");

    expect(stdout).toMatch(/approval requested +t1 +1 +expiresAt=2020-01-01T00:05:00/);
    expect(stdout).toMatch(/session created[\s\S]*policy bundle issued .*policyBundleVersion=1/);
    expect(json).toMatchObject([
      ...[{ eventType: "session_created", taskId: null }, { eventType: "policy_bundle_issued" }],
      { eventType: "approval_requested", payload: { expiresAt: 1_577_837_100_000 } },
    ]);
    expect([later.status, later.stdout, later.stderr]).toEqual([0, "", "Nothing happened in that time.\n"]);
    expect([unknown.status, unknown.stderr]).toEqual([3, expect.stringContaining("cm workspaces")]);
  });

  it("is purged of what was not used, after it was said what would go; the audit stays", async () => {
    const dry = await cm("purge", "--dry-run", "--json");
    const told = await cm("purge", "--dry-run");
    const there = jsonLines((await cm("workspaces", "--json")).stdout);
    const purged = await cm("purge", "--yes", "--json");
    const left = jsonLines((await cm("workspaces", "--json")).stdout);
    const story = jsonLines((await cm("audit", "old", "--json")).stdout);

    expect(jsonLines(dry.stdout)).toMatchObject([{ sessions: ["old"], dryRun: true }]);
    expect(told.stderr).toBe("1 workspace would be deleted, without --dry-run; nothing was.\n");
    expect((await cm("purge", "--days", "1", "--dry-run")).stderr).toBe("No workspace was silent for 1 day.\n");
    expect(there).toHaveLength(2);
    expect(jsonLines(purged.stdout)).toMatchObject([{ sessions: ["old"], dryRun: false }]);
    expect(left).toMatchObject([{ folder: "/work/new" }]);
    expect(story.at(-1)).toMatchObject({ eventType: "workspace_purged", payload: { objects: 2, inactiveDays: 90 } });
    expect(story).toHaveLength(4);
  });

  it("is relieved of an audit that is older than it is to be kept, when it is told to", async () => {
    const young = await cm("purge", "--audit-days", "36500");
    const dry = await cm("purge", "--audit-days", "365", "--dry-run");
    const there = jsonLines((await cm("audit", "old", "--json")).stdout);
    const taken = await cm("purge", "--audit-days", "365", "--yes", "--json");
    const left = jsonLines((await cm("audit", "old", "--json")).stdout);

    expect([young.status, young.stderr]).toEqual([0, "Nothing in the audit is older than 36,500 days.\n"]);
    expect([dry.status, dry.stderr]).toEqual([0, "3 events and approvals of the audit are older than 365 days.\n"]);
    expect(there).toHaveLength(4);
    expect(jsonLines(taken.stdout)).toEqual([{ auditRecords: 3, olderThanDays: 365, dryRun: false }]);
    expect(left).toMatchObject([{ eventType: "workspace_purged" }]);
  });
});

it("approves, denies and lists calls that wait on a server, and says where none waits", async () => {
  const seen: unknown[] = [];
  const server = createServer(async (request, answer) => {
    const body = await new Response(request as never).text();
    seen.push([
      request.method,
      request.url,
      request.headers.authorization,
      body === "" ? undefined : JSON.parse(body).decision,
    ]);
    if (request.url?.endsWith("/late") === true) return answer.writeHead(404).end("{}");
    if (request.url?.startsWith("/ungoverned/") === true) return answer.writeHead(404).end("{}");
    if (request.url?.startsWith("/other/") === true) return answer.end("<html>");
    const waiting = {
      approval_id: "a1",
      session_id: "s1",
      risk: "high",
      summary: "bash: make",
      expires_at: "2026-11-24T10:05:00.000Z",
    };
    answer.end(
      JSON.stringify(request.method === "GET" ? { items: [waiting], unreachable_servers: 1 } : { approval_id: "a1" }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const env = {
    CM_SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CM_SERVER_TOKEN: "secret-1",
  };

  const list = await inProcess(["approve"], { env });
  const yes = await inProcess(["approve", "a1"], { env });
  const no = await inProcess(["approve", "a1", "--deny"], { env });
  const late = await inProcess(["approve", "late"], { env });
  const at = env.CM_SERVER_URL;
  const ungoverned = await inProcess(["approve", "--server", `${at}/ungoverned`], { env });
  const other = await inProcess(["approve", "--server", `${at}/other`], { env });
  server.close();
  server.closeAllConnections();
  const away = await inProcess(["approve", "a1"], { env });

  expect(list.stdout).toContain("bash: make");
  expect(list.stderr).toContain("1 other server did not say what waits there.");
  expect([yes.stdout, no.stdout]).toEqual(["Approved.\n", "Denied.\n"]);
  expect([late.status, away.status]).toEqual([3, 5]);
  expect(ungoverned.stderr).toBe(`cm: The server ${at} governs no sessions; start it with --policy.\n`);
  expect(other.stderr).toContain(`The server ${at} gives no answer of a`);
  expect(away.stderr).toContain(`The server ${at} does not answer`);
  expect(seen.slice(1, 3)).toEqual([
    ["POST", "/api/governance/approvals/a1", "Bearer secret-1", "approved"],
    ["POST", "/api/governance/approvals/a1", "Bearer secret-1", "denied"],
  ]);
});
