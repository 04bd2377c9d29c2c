// @module-tag process
// Verifies: what a real opencode and a real Codex write is read: prompt, call, result, answer, tokens.
// Both are 750 MB, so that no test fetches them: `npm install --prefix .toolchain/agents opencode-ai@1.18.33
// @openai/codex@0.169.0`, or any other folder with a `node_modules`, which CM_AGENTS names.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { root } from "../../../tools/workspace.ts";
import { readRecording } from "../src/index.ts";
import { startOneFileModel } from "./support/one-file-model.ts";

const installed = join(process.env.CM_AGENTS ?? join(root, ".toolchain/agents"), "node_modules/.bin");
const folder = mkdtempSync(join(tmpdir(), "cm-agents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly home: string;
  readonly work: string;
  /** Runs the program to its end; what it printed. */
  run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string>;
}

/** A home with nothing in it but what a test puts there, and a work folder with one file. */
function prepared(program: string): Run {
  const [home, work] = [join(folder, program), join(folder, `${program}-work`)];
  for (const each of [home, work]) mkdirSync(each);
  writeFileSync(join(work, "a.txt"), "alpha\n");
  return {
    ...{ home, work },
    async run(args, environment) {
      const env = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home, ...environment };
      const child = spawn(join(installed, program), args, { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
      let complained = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        complained += text;
      });
      const [code] = await once(child, "close");
      expect(code, complained).toBe(0);
      return printed;
    },
  };
}

const prompt = "What does a.txt say?";
const usage = { input: 488, output: 10, cacheRead: 512, cacheWrite: 0 };
const ending = [
  { kind: "assistant", calls: [{ id: "call_1" }], usage, model: "m" },
  { kind: "result", callId: "call_1", failed: false, text: expect.stringContaining("alpha") },
  { kind: "assistant", text: "Done.", calls: [], usage, model: "m" },
];

requirement("opencode", () => existsSync(join(installed, "opencode")))("a session of a real opencode", () => {
  it("is read from its database, and is the one that it exports", async () => {
    const { home, work, run } = prepared("opencode");
    const model = await startOneFileModel(join(work, "a.txt"));
    const options = { baseURL: model.url, apiKey: "none" };
    const provider = { loop: { npm: "@ai-sdk/openai-compatible", options, models: { m: { name: "m" } } } };
    const config = JSON.stringify({ provider, model: "loop/m", autoupdate: false });
    try {
      await run(["run", prompt], { OPENCODE_CONFIG_CONTENT: config });

      const recording = await readRecording(join(home, ".local/share/opencode/opencode.db"));

      expect(recording).toMatchObject({ format: "opencode", cwd: work, skippedLines: 0, warnings: [] });
      expect(recording.events[0]).toMatchObject({ kind: "user", text: expect.stringContaining(prompt) });
      expect(recording.events.slice(1)).toMatchObject(ending);
      const path = join(home, "export.json");
      writeFileSync(path, await run(["export", recording.id], { OPENCODE_CONFIG_CONTENT: config }));
      expect(await readRecording(path)).toEqual(recording);
    } finally {
      await model.close();
    }
  });
});

requirement("codex", () => existsSync(join(installed, "codex")))("a session of a real Codex", () => {
  it("is read from its rollout", async () => {
    const { home, work, run } = prepared("codex");
    const model = await startOneFileModel(join(work, "a.txt"));
    const settings = [
      ...['model="m"', 'model_provider="x"', 'model_providers.x.name="x"', 'model_providers.x.env_key="LOOP_KEY"'],
      ...['model_providers.x.wire_api="responses"', `model_providers.x.base_url="${model.url}"`],
    ].flatMap((setting) => ["-c", setting]);
    try {
      await run(["exec", "--skip-git-repo-check", "-s", "danger-full-access", ...settings, prompt], {
        LOOP_KEY: "none",
      });

      const sessions = join(home, ".codex/sessions");
      const names = readdirSync(sessions, { recursive: true, encoding: "utf8" });
      const [rollout = "", ...others] = names.filter((name) => name.endsWith(".jsonl"));
      const recording = await readRecording(join(sessions, rollout));

      expect(others).toEqual([]);
      expect(recording).toMatchObject({ format: "codex", cwd: work, skippedLines: 0, warnings: [] });
      expect(recording.events.at(-4)).toMatchObject({ kind: "user", text: prompt });
      expect(recording.events.slice(-3)).toMatchObject(ending);
    } finally {
      await model.close();
    }
  });
});
