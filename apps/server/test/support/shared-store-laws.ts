import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killedServers } from "./killed-servers.ts";
import { gate, presetOf } from "./running-server.ts";
import { folderWith, removed } from "./scripted.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { startsAtOnce } from "./starts-at-once.ts";

/** All of it runs with `CM_CAMPAIGN=1`. */
const isCampaign = process.env.CM_CAMPAIGN === "1";

/** What holds of two servers that share a store. @param placeOf the options by which both find it */
export function sharedStoreLaws(placeOf: () => readonly string[]): void {
  laws(placeOf, true);
}

/**
 * The same on a server's store. Without a campaign it shows there what kills leave: that one of many starts wins is shown by `lineage`
 * on the same stores, and the fork on a file.
 */
export function sharedServerLaws(placeOf: () => readonly string[]): void {
  laws(placeOf, isCampaign);
}

function laws(placeOf: () => readonly string[], isWhole: boolean): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());

  const inWhole = (title: string, test: () => Promise<void>) => void (isWhole && it(title, test));

  inWhole("let exactly one of many simultaneous starts in one conversation win", () =>
    startsAtOnce(scripted, {
      place: placeOf(),
      ...(isCampaign ? { starts: 50, rounds: 20 } : { starts: 8, rounds: 1 }),
    }),
  );

  it("lose no committed run and leave none running when either is killed at any moment, and the other goes on", async () => {
    const seed = Number(process.env.CM_SEED ?? (isCampaign ? Date.now() % 2 ** 31 : 1));
    const kills = isCampaign ? 50 : isWhole ? 2 : 1;

    const killed = await killedServers(scripted, { place: placeOf(), kills, seed });

    if (isCampaign) process.stderr.write(`${JSON.stringify({ kills, seed, ...killed })}\n`);
    expect(killed.committed + killed.cut).toBe(kills);
  });

  inWhole("fork the run of a server that was killed", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const { open, opened } = gate();
    const play = scripted.play(async ({ index, sent }) => {
      if (index === 2) await opened;
      const isRead = sent.messages.at(-1)?.blocks.some(({ kind }) => kind === "result") === true;
      return isRead ? { text: "Done." } : { calls: [{ name: "read", args: { path: "a.txt" } }] };
    });
    const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
    const place = placeOf();
    const servers = await Promise.all([serverProcess(folder, presets, place), serverProcess(folder, presets, place)]);
    const [first, second] = servers as [ServerProcess, ServerProcess];
    const { runId, conversationId } = await first.whole({ input: "First." });
    const more = { conversation_id: conversationId, input: "Never ends.", transport: "stream" };
    await first.post("/api/conversations/run", more);
    await first.kill();
    open();

    const path = `/api/conversations/${conversationId}/fork`;
    const fork = await second.whole({ input: "Fork.", from_session_id: runId }, path);
    const forked = await (await second.get(`/api/sessions/${fork.runId}/get`)).json();

    expect(forked).toMatchObject({ status: "committed", parent_session_id: runId, final_message: "Done." });
    await second.kill();
    removed(folder);
  });
}
