// @module-tag xtdb
// @module-tag long
// Verifies: two servers share a node of XTDB as they share a file.
import { randomUUID } from "node:crypto";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { gate, presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",")[0];
const missing = given === undefined ? whatIsMissing() : undefined;
const isCampaign = process.env.CM_CAMPAIGN === "1";

requirement(missing ?? "an XTDB node", () => missing === undefined)("two servers on a node of XTDB", () => {
  let node: XtdbNode | undefined;
  let scripted: ScriptedModel;
  beforeAll(async () => {
    if (given === undefined) node = await startNode({ quick: true });
    scripted = await startScriptedModel();
  });
  afterAll(async () => {
    await scripted.close();
    await node?.stop();
  });

  const campaign = { timeout: isCampaign ? 1_200_000 : 180_000 };
  it(
    "let exactly one of many starts win, go on when one is killed, and fork what the other ran",
    campaign,
    async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      let turn = gate();
      turn.open();
      const play = scripted.play(async ({ sent }) => {
        await turn.opened;
        const isRead = sent.messages.at(-1)?.blocks.some(({ kind }) => kind === "result") === true;
        return isRead ? { text: "Done." } : { calls: [{ name: "read", args: { path: "a.txt" } }] };
      });
      const place = ["--store", given ?? node?.url ?? "", "--namespace", `cm-server-${randomUUID()}`, "--lease", "3"];
      const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
      const servers = await Promise.all([serverProcess(folder, presets, place), serverProcess(folder, presets, place)]);
      const [first, second] = servers as [ServerProcess, ServerProcess];
      const { runId, conversationId } = await first.whole({ input: "First." });
      const starts = isCampaign ? 50 : 8;

      for (let round = 0; round < (isCampaign ? 50 : 2); round += 1) {
        turn = gate();
        const answers = await Promise.all(
          Array.from({ length: starts }, (_, n) =>
            (n % 2 === 0 ? first : second).post("/api/conversations/run", {
              ...{ conversation_id: conversationId, input: `Start ${n}.`, transport: "stream" },
            }),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([
          202,
          ...Array.from({ length: starts - 1 }, () => 409),
        ]);
        turn.open();
        const isFree = async () => {
          const answer = await second.get(`/api/conversations/${conversationId}/get`);
          return ((await answer.json()) as { active_session: unknown }).active_session;
        };
        await expect.poll(isFree).toBeNull();
      }
      turn = gate();
      await first.post("/api/conversations/run", {
        conversation_id: conversationId,
        input: "Never ends.",
        transport: "stream",
      });
      await first.kill();
      turn.open();
      const goesOn = async () =>
        (await second.post("/api/conversations/run", { conversation_id: conversationId, input: "Go on." })).status;
      await expect.poll(goesOn, { interval: 300 }).toBe(200);
      const fork = await second.whole(
        { input: "Fork.", from_session_id: runId },
        `/api/conversations/${conversationId}/fork`,
      );
      const forked = await (await second.get(`/api/sessions/${fork.runId}/get`)).json();

      expect(forked).toMatchObject({ status: "committed", parent_session_id: runId, final_message: "Done." });
      await second.kill();
      removed(folder);
    },
  );
});
