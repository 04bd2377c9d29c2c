// @module-tag process
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
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

it("gives a fork folders of its own, in which the files are what the run knew them as", async () => {
  const folder = folderWith({ "notes.txt": "version 0\n", "other.txt": "never read\n" });
  const forks = folderWith({});
  const edit = (from: string, to: string) => ({
    calls: [{ name: "edit", args: { path: "notes.txt", edits: [{ oldText: from, newText: to }] } }],
  });
  const play = scripted.play([
    { calls: [{ name: "read", args: { path: "notes.txt" } }] },
    edit("version 0", "version 1"),
    { text: "One." },
    edit("version 1", "version 2"),
    { calls: [{ name: "bash", args: { command: "rm notes.txt; echo new > late.txt" } }] },
    { text: "Two." },
    { calls: [{ name: "bash", args: { command: "cat notes.txt other.txt; echo forked >> notes.txt" } }] },
    { text: "In the fork." },
    { calls: [{ name: "read", args: { path: "notes.txt" } }] },
    { text: "Still in the fork." },
  ]);
  const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder, { forks });
  const first = await server.whole({ input: "One." });
  await server.whole({ conversation_id: first.conversationId, input: "Two." });

  const fork = await server.whole(
    { input: "Look.", from_session_id: first.runId, files: "as_they_were" },
    `/api/conversations/${first.conversationId}/fork`,
  );
  await server.whole({ conversation_id: fork.conversationId, input: "Look again." });
  const { environment } = await server.runtime.lineage.run(fork.runId);
  const [copied = ""] = environment?.projects ?? [];
  const refused = await server.post(`/api/conversations/${first.conversationId}/fork`, {
    ...{ input: "x", files: "as_they_were", project_ids: ["."] },
  });

  expect(copied.startsWith(realpathSync(forks))).toBe(true);
  expect(readFileSync(join(copied, "notes.txt"), "utf8")).toBe("version 1\nforked\n");
  expect(existsSync(join(folder, "notes.txt"))).toBe(false);
  expect(JSON.stringify(play.requests[7]?.body)).toContain("version 1\\nnever read");
  expect(JSON.stringify(play.requests[6]?.body)).not.toContain("deleted");
  expect(JSON.stringify(play.requests[9]?.body)).toContain("forked");
  expect(refused.status).toBe(422);
  await server.stop();
  for (const each of [folder, forks]) removed(each);
});

interface Step {
  readonly step: { readonly session: string; readonly n: number };
}
