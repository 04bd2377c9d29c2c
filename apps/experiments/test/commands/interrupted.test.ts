// @module-tag process
// Verifies: Ctrl-C in mid replay leaves nothing half-written and ends with status 130.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeGeneratedRecording } from "@cm/replay/generated";
import { describe, expect, it } from "vitest";
import { cli, inFolder } from "../support/command.ts";

describe("a replay that is interrupted", () => {
  it("keeps nothing", async () => {
    await inFolder(async (folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"));
      const args = ["replay", "long.jsonl", "--out", "results", "--dump", "dump.jsonl", "--policy", "ssot"];
      const child = spawn(process.execPath, [cli, ...args], {
        cwd: folder,
        env: { ...process.env, CM_CALLER_FOLDER: folder },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const exited = once(child, "exit");

      // The dump is opened before the first call is replayed.
      const started = setInterval(
        () => existsSync(join(folder, `dump.jsonl.partial-${child.pid}`)) && child.kill("SIGINT"),
        1,
      );
      const [status] = await exited;
      clearInterval(started);

      expect(status).toBe(130);
      expect(existsSync(join(folder, "results"))).toBe(false);
      expect(existsSync(join(folder, "dump.jsonl"))).toBe(false);
      expect(existsSync(join(folder, `dump.jsonl.partial-${child.pid}`))).toBe(false);
    });
  });
});
