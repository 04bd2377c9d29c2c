import { setTimeout as wait } from "node:timers/promises";
import type { ScriptedModel } from "@cm/scripted-models";
import { createRandom } from "@cm/testkit";
import { expect } from "vitest";
import { presetOf } from "./running-server.ts";
import { folderWith, removed } from "./scripted.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";

interface Listed {
  readonly session_id: string;
  readonly status: string;
  readonly final_message: string | null;
  readonly failure: string | null;
}

/** What the kills did, to be read. */
export interface Killed {
  /** Runs that had ended when their server was killed, and runs that had not. */
  readonly committed: number;
  readonly cut: number;
  /** The longest time from a kill until the other server said that the run had failed, or took another one. */
  readonly freeMsMax: number;
}

/**
 * Two servers on one store, of which either is killed at any moment of a run: no committed run is lost, none is left
 * running, and the other server goes on with the conversation. After each second kill nothing is asked for but the run's
 * status, so that the other server must have failed it by itself.
 */
export async function killedServers(
  scripted: ScriptedModel,
  { place, kills, seed }: { readonly place: readonly string[]; readonly kills: number; readonly seed: number },
): Promise<Killed> {
  const folder = folderWith({ "a.txt": "alpha\n" });
  const play = scripted.play(({ sent }) =>
    sent.messages.at(-1)?.blocks.some(({ kind }) => kind === "result") === true
      ? { text: "Done.", delayMs: 10 }
      : { calls: [{ name: "read", args: { path: "a.txt" } }], delayMs: 10 },
  );
  const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
  const open = () => serverProcess(folder, presets, [...place, "--lease", "3"]);
  const servers = await Promise.all([open(), open()]);
  const begunMs = performance.now();
  const { conversationId, runId } = await servers[0].whole({ input: "First." });
  const runMs = performance.now() - begunMs;
  const random = createRandom(seed);
  const committed = [runId];
  const listed: Listed[] = [];
  let cut = 0;
  let freeMsMax = 0;

  for (let kill = 0; kill < kills; kill += 1) {
    const dying = random.below(2);
    const [killed, other] = [servers[dying] as ServerProcess, servers[1 - dying] as ServerProcess];
    const id = await begin(killed, conversationId, `Run ${kill}.`);
    // Anywhere between its start and a moment after its end.
    await wait(random.fraction() * 1.2 * runMs);
    const wasCommitted = (await statusOf(killed, id)) === "committed";
    await killed.kill();
    const killedMs = performance.now();
    if (wasCommitted) committed.push(id);
    else cut += 1;
    if (kill % 2 === 0) await expect.poll(() => statusOf(other, id)).toMatch(/^(failed|committed)$/);
    const next = await begin(other, conversationId, "Go on.");
    freeMsMax = Math.max(freeMsMax, performance.now() - killedMs);
    await expect.poll(() => statusOf(other, next)).toBe("committed");
    committed.push(next);
    if (kill < kills - 1) servers[dying] = await open();
    else listed.push(...(await all(other, conversationId)));
  }
  await Promise.all(servers.map((server) => server.kill()));
  removed(folder);

  const byId = new Map(listed.map((item) => [item.session_id, item]));
  expect(committed.filter((id) => byId.get(id)?.status !== "committed")).toEqual([]);
  expect(listed.filter(({ status }) => status !== "committed" && status !== "failed")).toEqual([]);
  expect(listed).toHaveLength(1 + 2 * kills);
  const said = listed.flatMap(({ status, final_message }) => (status === "committed" ? [final_message] : []));
  expect(new Set(said)).toEqual(new Set(["Done."]));
  const reasons = listed.flatMap(({ failure }) => failure ?? []);
  expect(new Set([...reasons, gone])).toEqual(new Set([gone]));
  return { committed: kills - cut, cut, freeMsMax };
}

const gone = "The process that ran it is gone.";

/** A new run, as soon as the conversation is free. */
async function begin(server: ServerProcess, conversationId: string, input: string): Promise<string> {
  for (;;) {
    const body = { conversation_id: conversationId, input, transport: "stream" };
    const answer = await server.post("/api/conversations/run", body);
    const { session_id: id } = (await answer.json()) as { readonly session_id?: string };
    if (answer.status === 202 && id !== undefined) return id;
    expect(answer.status).toBe(409);
    await wait(50);
  }
}

async function statusOf(server: ServerProcess, id: string): Promise<string> {
  return ((await (await server.get(`/api/sessions/${id}/status`)).json()) as { readonly status: string }).status;
}

async function all(server: ServerProcess, conversationId: string): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for (let cursor = ""; ; ) {
    const answer = await server.get(`/api/conversations/${conversationId}/sessions?limit=200${cursor}`);
    const page = (await answer.json()) as { readonly items: readonly Listed[]; readonly next_cursor: string | null };
    listed.push(...page.items);
    if (page.next_cursor === null) return listed;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
