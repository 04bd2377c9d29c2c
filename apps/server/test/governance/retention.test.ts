// @module-tag process
// Verifies: reference "Audit and telemetry": kept for a year by default; "Deletion": purge after days without activity.
import { createMemoryStore } from "@cm/object-model";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverTypes } from "../../src/store/open-store.ts";
import { type GovernedServer, serversIn } from "../support/governed.ts";
import { inMemory } from "../support/mortal-server.ts";
import { presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

const dayMs = 86_400_000;
let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

const governedServer = serversIn({
  open: async () => createMemoryStore({ types: serverTypes }),
  mortal: inMemory,
});

async function withOneSession(parts: Parameters<typeof governedServer>[2]) {
  const folder = folderWith({});
  const log: Readonly<Record<string, unknown>>[] = [];
  const play = scripted.play([{ text: "Blue." }]);
  const presets = { p: presetOf(play, { folders: ["."] }) };
  const server = await governedServer(presets, folder, { ...parts, server: { log: (fields) => log.push(fields) } });
  const { conversationId } = await server.whole({ input: "Which colour?" });
  const end = async () => {
    await server.stop();
    removed(folder);
  };
  return { server, log, conversationId, end };
}

const pass = (server: GovernedServer, days: number) => {
  for (let day = 0; day < days; day++) server.clock.pass(dayMs);
};
const taken = (log: readonly Readonly<Record<string, unknown>>[]) => log.filter((fields) => "taken" in fields);

describe("what a server keeps", () => {
  it("is its audit for a year, from which it takes what is older once a day, and says so", async () => {
    const { server, log, conversationId, end } = await withOneSession({});
    const before = await server.audit(conversationId);

    pass(server, 365);
    const afterAYear = (await server.audit(conversationId)).length;
    pass(server, 1);
    await expect.poll(() => taken(log)).toEqual([expect.objectContaining({ taken: before.length })]);

    expect(before.length).toBeGreaterThan(5);
    expect(afterAYear).toBe(before.length);
    expect(await server.audit(conversationId)).toEqual([]);
    await end();
  });

  it("is its audit for ever where it is told so, and a workspace until it is purged", async () => {
    const { server, log, conversationId, end } = await withOneSession({ retention: { auditDays: null } });

    pass(server, 800);

    expect((await server.audit(conversationId)).length).toBeGreaterThan(5);
    expect(await server.json(`/api/governance/sessions/${conversationId}/history`)).toHaveProperty("messages");
    expect(taken(log)).toEqual([]);
    await end();
  });

  it("are workspaces for as many days without activity as it is told, and the audit says who lost what", async () => {
    const { server, log, conversationId, end } = await withOneSession({ retention: { inactiveDays: 90 } });

    pass(server, 90);
    const kept = await server.get(`/api/governance/sessions/${conversationId}`);
    pass(server, 1);
    await expect.poll(() => taken(log)).toEqual([expect.objectContaining({ taken: 1 })]);

    expect(kept.status).toBe(200);
    expect((await server.get(`/api/governance/sessions/${conversationId}`)).status).toBe(404);
    expect((await server.audit(conversationId)).at(-1)).toMatchObject({ eventType: "workspace_purged" });
    await end();
  });
});
