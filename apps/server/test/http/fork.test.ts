// @module-tag process
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { objectAt } from "@cm/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gate, presetOf, serverWith, type WholeRun } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

/** Reads, edits and commands of one run: ten calls. */
const callsOf = (run: number) => [
  { name: "read", args: { path: "notes.txt" } },
  { name: "edit", args: { path: "notes.txt", edits: [{ oldText: `version ${run - 1}`, newText: `version ${run}` }] } },
  ...Array.from({ length: 7 }, (_, n) => ({ name: "bash", args: { command: `echo run ${run} command ${n}` } })),
  { name: "read", args: { path: "notes.txt" } },
];

it("goes on from the third run while the sixth runs, with the files as they were then", async () => {
  const folder = folderWith({ "notes.txt": "version 0\n" });
  const { open, opened } = gate();
  const script = [1, 2, 3, 4, 5].flatMap((run) => [
    ...callsOf(run).map((call) => ({ calls: [call] })),
    { text: `Run ${run} is done.` },
  ]);
  const play = scripted.play([
    ...script,
    async () => {
      await opened;
      return { text: "The sixth is done." };
    },
  ]);
  const forked = scripted.play([{ text: "I am the fork." }]);
  const server = await serverWith({ p: presetOf(play, { folders: ["."] }), f: presetOf(forked) }, folder);
  const runs: WholeRun[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const conversation = runs[0] === undefined ? {} : { conversation_id: runs[0].conversationId };
    runs.push(await server.whole({ ...conversation, input: `Run ${n}.` }));
  }
  const conversationId = runs[0]?.conversationId ?? "";
  await server.post("/api/conversations/run", {
    conversation_id: conversationId,
    input: "Sixth.",
    transport: "stream",
  });
  await expect.poll(() => play.requests.length).toBe(script.length + 1);
  writeFileSync(join(folder, "notes.txt"), "written by somebody else\n");

  const fork = await server.whole(
    { input: "And from here?", from_session_id: runs[2]?.runId, preset_id: "f", project_ids: [] },
    `/api/conversations/${conversationId}/fork`,
  );
  open();
  await server.runtime.drain();

  const third = await server.runtime.lineage.run(runs[2]?.runId ?? "");
  const record = await server.runtime.lineage.run(fork.runId);
  const [request] = forked.requests;
  const file = await objectAt(server.store, { session: fork.conversationId, n: (record.state as Step).step.n }, "f1");
  expect(third.run_summary?.usage.model_requests).toBe(11);
  expect(record).toMatchObject({
    status: "committed",
    parent_session_id: third.session_id,
    conversation_id: fork.runId,
  });
  expect(JSON.stringify(request?.body)).toContain("version 3");
  expect(JSON.stringify(request?.body)).not.toContain("version 4");
  expect(JSON.stringify(request?.body)).not.toContain("somebody else");
  expect(file).toMatchObject({ document: { content: "version 3\n" } });
  expect((await server.runtime.lineage.runs({ conversationId })).runs[0]).toMatchObject({
    status: "committed",
    output: "The sixth is done.",
  });
  await server.stop();
  removed(folder);
});

interface Step {
  readonly step: { readonly session: string; readonly n: number };
}
