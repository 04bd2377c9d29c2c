import type { ScriptedModel } from "@cm/scripted-models";
import { expect } from "vitest";
import { gate, presetOf } from "./running-server.ts";
import { folderWith, removed } from "./scripted.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";

/** Two servers on one store: of many starts exactly one wins; one goes on when the other is killed, and forks its run. */
export async function shareStore(
  scripted: ScriptedModel,
  { store, namespace }: { readonly store: string; readonly namespace: string },
): Promise<void> {
  const folder = folderWith({ "a.txt": "alpha\n" });
  let turn = gate();
  turn.open();
  const play = scripted.play(async ({ sent }) => {
    await turn.opened;
    const isRead = sent.messages.at(-1)?.blocks.some(({ kind }) => kind === "result") === true;
    return isRead ? { text: "Done." } : { calls: [{ name: "read", args: { path: "a.txt" } }] };
  });
  const place = ["--store", store, "--namespace", namespace, "--lease", "3"];
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
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: starts - 1 }, () => 409)]);
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
}
