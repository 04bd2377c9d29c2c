// @module-tag process
// Verifies: `live` as a command: its figures, its refusals, and nothing left behind where an endpoint fails.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readScripts } from "../../src/live/scripted/script.ts";
import { startScriptedServer } from "../../src/live/scripted/scripted-server.ts";
import { readExperiment } from "../../src/live/tasks/experiment.ts";
import { cli, inFolder } from "../support/command.ts";
import { flakyServer, status } from "./support/flaky-server.ts";
import { key, liveFolder } from "./support/scripted-run.ts";

/** Not the synchronous one: the server that it asks lives in this process. */
function live(folder: string, variables: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const env = { ...process.env, CM_CALLER_FOLDER: folder, NO_COLOR: "1", ...variables };
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [cli, "live", ...args], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** Every file as bytes that are letters. */
function textsOf(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
}

describe("live", () => {
  it("asks the endpoint of the environment, and leaves its key nowhere", async () => {
    const { tasks } = await readExperiment(liveFolder, ["plant-limit"]);
    const server = await startScriptedServer({ scripts: await readScripts(liveFolder, tasks), key });
    const variables = { CM_LIVE_PROTOCOL: "openai", CM_LIVE_URL: server.url, CM_LIVE_KEY: key, CM_LIVE_MODEL: "m-1" };
    try {
      await inFolder(async (folder) => {
        const args = ["--task", "plant-limit", "--policy", "log", "--seed", "5", "--open-network", "--out", "out"];

        const { status, stdout, stderr } = await live(folder, variables, ...args);

        const results = JSON.parse(readFileSync(join(folder, "out/results.json"), "utf8"));
        expect({ status, stderr }).toMatchObject({ status: 0 });
        expect(results).toMatchObject({ protocol: "openai", model: "m-1", prices: { name: "openaiGpt5" } });
        expect(results.runs).toMatchObject([{ task: "plant-limit", solved: true, seed: 5, answeredBy: "scripted" }]);
        for (const text of [stdout, stderr, ...textsOf(join(folder, "out"))]) expect(text.includes(key)).toBe(false);
      });
    } finally {
      await server.close();
    }
  });

  it("runs against a scripted model, and says what was compared", async () => {
    await inFolder(async (folder) => {
      const { status, stdout } = await live(folder, {}, "--scripted", "--task", "plant-limit", "--policy", "plain");

      const { model, protocol, sha256 } = JSON.parse(readFileSync(join(folder, "out/live/results.json"), "utf8"));
      const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
      expect(status).toBe(0);
      expect(stdout).toMatch(/plant-limit\s+plain\s+1\/1\s+1\/1\s+answered/);
      expect({ model, protocol }).toEqual({ model: "scripted", protocol: "anthropic" });
      expect(sha256).toEqual({ systemPrompt: hash, tools: hash, tasks: { "plant-limit": hash } });
    });
  });

  it("leaves nothing behind where the endpoint refuses, and says so without the key", async () => {
    const server = await flakyServer(status(401, {}, JSON.stringify({ error: { type: "bad_key", message: key } })));
    const variables = { CM_LIVE_PROTOCOL: "anthropic", CM_LIVE_URL: server.url, CM_LIVE_KEY: key, CM_LIVE_MODEL: "m" };
    try {
      await inFolder(async (folder) => {
        const { status, stdout, stderr } = await live(folder, variables, "--open-network", "--out", "out");

        expect([status, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(/^The endpoint refused the request \(401, bad_key\)[^\n]*\n$/);
        expect(stderr).not.toContain(key);
        expect(existsSync(join(folder, "out"))).toBe(false);
      });
    } finally {
      await server.close();
    }
  });

  it("refuses in one sentence without an endpoint", async () => {
    await inFolder(async (folder) => {
      const { status, stderr } = await live(folder, { CM_LIVE_PROTOCOL: "" }, "--open-network");

      expect(status).toBe(2);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
