// Verifies: `live` as a command: its figures, its refusals, and nothing left behind where an endpoint fails.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, inFolder } from "../support/command.ts";
import { flakyServer, status } from "./support/flaky-server.ts";
import { key } from "./support/scripted-run.ts";

/** Not the synchronous one: the server that it asks lives in this process. */
function live(folder: string, variables: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const env = { ...process.env, CM_CALLER_FOLDER: folder, NO_COLOR: "1", ...variables };
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [cli, "live", ...args], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

describe("live", () => {
  it("runs against a scripted model, and says what was compared", async () => {
    await inFolder(async (folder) => {
      const args = ["--scripted", "openai", "--task", "plant-limit", "--policy", "log", "--seed", "5", "--out", "out"];

      const { status, stdout } = await live(folder, { CM_LIVE_KEY: key }, ...args);

      const text = readFileSync(join(folder, "out/results.json"), "utf8");
      const results = JSON.parse(text);
      expect(status).toBe(0);
      expect(stdout).toMatch(/plant-limit\s+log\s+1\/1\s+1\/1\s+answered/);
      expect(results).toMatchObject({ protocol: "openai", model: "scripted", prices: { name: "openaiGpt5" } });
      expect(results.runs).toMatchObject([
        { task: "plant-limit", solved: true, seed: 5, layout: expect.stringMatching(/^log/) },
      ]);
      expect(
        Object.values(results.sha256).flatMap((hash) =>
          typeof hash === "string" ? [hash] : Object.values(hash ?? {}),
        ),
      ).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^[0-9a-f]{64}$/)));
      expect(readdirSync(join(folder, "out")).sort()).toEqual(["plant-limit-log-0.sqlite", "results.json"]);
      expect(text).not.toContain(key);
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

  it("refuses in one sentence where nobody said which endpoint", async () => {
    await inFolder(async (folder) => {
      const { status, stderr } = await live(folder, { CM_LIVE_PROTOCOL: "" }, "--open-network");

      expect(status).toBe(2);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
