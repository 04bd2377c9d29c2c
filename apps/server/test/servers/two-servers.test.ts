// @module-tag process
// @module-tag long
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

/** All of it runs with `CM_CAMPAIGN=1`. */
const isCampaign = process.env.CM_CAMPAIGN === "1";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

interface SessionsPage {
  readonly items: readonly {
    readonly session_id: string;
    readonly status: string;
    readonly final_message: string | null;
  }[];
}

describe("two servers on one store", () => {
  it("let exactly one of many simultaneous starts in one conversation win", async () => {
    const folder = folderWith({});
    let turn = gate();
    const play = scripted.play(async ({ index }) => {
      if (index > 0) await turn.opened;
      return { text: `Answer ${index}.` };
    });
    const presets = { presets: { p: presetOf(play) } };
    const servers = await Promise.all([serverProcess(folder, presets), serverProcess(folder, presets)]);
    const { conversationId } = await servers[0].whole({ input: "First." });
    const starts = isCampaign ? 50 : 12;

    for (let round = 0; round < (isCampaign ? 20 : 3); round += 1) {
      turn = gate();
      const answers = await Promise.all(
        Array.from({ length: starts }, async (_, n) => {
          const body = { conversation_id: conversationId, input: `Start ${n}.`, transport: "stream" };
          const answer = await (servers[n % 2] as ServerProcess).post("/api/conversations/run", body);
          return { status: answer.status, body: (await answer.json()) as Started };
        }),
      );
      const winners = answers.filter(({ status }) => status === 202);
      const named = answers.flatMap(({ body }) => body.active_session?.session_id ?? []);

      const other = servers[(answers.findIndex(({ status }) => status === 202) + 1) % 2] as ServerProcess;
      const reached = await Promise.all([
        other.post(`/api/conversations/${conversationId}/steer`, { input: "Hello." }),
        other.get(`/api/conversations/${conversationId}/events`),
      ]);
      await reached[1].body?.cancel();

      expect(winners).toHaveLength(1);
      expect(reached.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(starts - 1);
      expect(new Set(named)).toEqual(new Set([winners[0]?.body.session_id]));
      turn.open();
      const over = async () =>
        (
          (await (await servers[0].get(`/api/sessions/${winners[0]?.body.session_id}/get`)).json()) as {
            status: string;
          }
        ).status;
      await expect.poll(over).toBe("committed");
    }
    await Promise.all(servers.map((server) => server.kill()));
    removed(folder);
  });

  it("lose no committed run and leave none running when one is killed at any moment, and the other goes on", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play(({ sent }) =>
      sent.messages.at(-1)?.blocks.some(({ kind }) => kind === "result") === true
        ? { text: "Done.", delayMs: 10 }
        : { calls: [{ name: "read", args: { path: "a.txt" } }], delayMs: 10 },
    );
    const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
    const lasting = ["--lease", "3"];
    const other = await serverProcess(folder, presets, lasting);
    const { conversationId } = await other.whole({ input: "First." });
    const committed: string[] = [];

    for (let kill = 0; kill < (isCampaign ? 50 : 3); kill += 1) {
      const killed = await serverProcess(folder, presets, lasting);
      const begun = await killed.post("/api/conversations/run", {
        conversation_id: conversationId,
        input: `Run ${kill}.`,
        transport: "stream",
      });
      const { session_id: id } = (await begun.json()) as Started;
      // Anywhere between its start and a moment after its end.
      await wait(Math.random() * 120);
      const { status } = (await (await killed.get(`/api/sessions/${id}/status`)).json()) as { status: string };
      if (status === "committed") committed.push(id ?? "");
      await killed.kill();
      const next = async () => {
        const answer = await other.post("/api/conversations/run", {
          conversation_id: conversationId,
          input: "Go on.",
          transport: "stream",
        });
        return { status: answer.status, id: ((await answer.json()) as Started).session_id ?? "" };
      };
      let went = await next();
      while (went.status === 409) {
        await wait(50);
        went = await next();
      }
      expect(went.status).toBe(202);
      await expect
        .poll(
          async () =>
            ((await (await other.get(`/api/sessions/${went.id}/status`)).json()) as { status: string }).status,
        )
        .toBe("committed");
      committed.push(went.id);
    }
    const page = (await (
      await other.get(`/api/conversations/${conversationId}/sessions?limit=200`)
    ).json()) as SessionsPage;
    const byId = new Map(page.items.map((item) => [item.session_id, item]));
    await other.kill();

    expect(page.items.filter(({ status }) => status === "created")).toEqual([]);
    expect(committed.filter((id) => byId.get(id)?.status !== "committed")).toEqual([]);
    const said = page.items.flatMap(({ status, final_message }) => (status === "committed" ? [final_message] : []));
    expect(new Set(said)).toEqual(new Set(["Done."]));
    removed(folder);
  });

  it("stop when they are told to: what runs comes to its end first, and its records say so", async () => {
    const folder = folderWith({});
    const { open, opened } = gate();
    const play = scripted.play(async () => {
      await opened;
      return { text: "Done." };
    });
    const presets = { presets: { p: presetOf(play) } };
    const server = await serverProcess(folder, presets);
    const begun = await server.post("/api/conversations/run", { input: "First.", transport: "stream" });
    const { session_id: id } = (await begun.json()) as Started;
    await expect.poll(() => play.requests.length).toBe(1);

    server.child.kill("SIGTERM");
    await expect.poll(async () => (await server.get("/readyz")).status).toBe(503);
    const refused = await server.post("/api/conversations/run", { input: "Second." });
    open();
    const code = await server.exited;
    const other = await serverProcess(folder, presets);
    const session = await (await other.get(`/api/sessions/${id}/get`)).json();
    await other.kill();

    expect([refused.status, code]).toEqual([503, 0]);
    expect(session).toMatchObject({ status: "committed", final_message: "Done." });
    expect(existsSync(join(folder, "states", "sessions", id ?? "", "display_messages.json"))).toBe(true);
    removed(folder);
  });
});

interface Started {
  readonly session_id?: string;
  readonly active_session?: { readonly session_id: string };
}
