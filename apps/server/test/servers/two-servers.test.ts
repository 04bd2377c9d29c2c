// @module-tag process
// @module-tag long
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";
import { serverProcess } from "../support/server-process.ts";
import { sharedStoreLaws } from "../support/shared-store-laws.ts";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

describe("two servers on one store", () => {
  sharedStoreLaws(() => []);

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
}
