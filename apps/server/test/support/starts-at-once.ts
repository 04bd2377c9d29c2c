import type { ScriptedModel } from "@cm/scripted-models";
import { expect } from "vitest";
import { gate, presetOf } from "./running-server.ts";
import { folderWith, removed } from "./scripted.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";

/** Two servers on one store: of many simultaneous starts in one conversation exactly one wins, and each server reaches it. */
export async function startsAtOnce(
  scripted: ScriptedModel,
  { place, starts, rounds }: { readonly place: readonly string[]; readonly starts: number; readonly rounds: number },
): Promise<void> {
  const folder = folderWith({});
  let turn = gate();
  const play = scripted.play(async ({ index }) => {
    if (index > 0) await turn.opened;
    return { text: `Answer ${index}.` };
  });
  const presets = { presets: { p: presetOf(play) } };
  const servers = await Promise.all([serverProcess(folder, presets, place), serverProcess(folder, presets, place)]);
  const { conversationId } = await servers[0].whole({ input: "First." });

  for (let round = 0; round < rounds; round += 1) {
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
    const over = async () => {
      const session = await servers[0].get(`/api/sessions/${winners[0]?.body.session_id}/get`);
      return ((await session.json()) as { readonly status: string }).status;
    };
    await expect.poll(over).toBe("committed");
  }
  await Promise.all(servers.map((server) => server.kill()));
  removed(folder);
}

interface Started {
  readonly session_id?: string;
  readonly active_session?: { readonly session_id: string };
}
