// @module-tag process
// @module-tag long
// Verifies: the main job end to end: table, report, results and databases; every request rebuilt after the process ended.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeGeneratedRecording } from "@cm/replay/generated";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, inFolder, run } from "../support/command.ts";

interface Output {
  readonly runs: readonly {
    readonly policy: string;
    readonly database?: string;
    readonly totals: { readonly billedShare: number };
  }[];
}

/** Model calls of the recording: few of a long session. */
const calls = 40;

describe("replay", () => {
  const once = mkdtempSync(join(tmpdir(), "cm-experiments-"));
  let replayed: CommandResult;
  beforeAll(() => {
    writeGeneratedRecording(join(once, "long.jsonl"), calls);
    replayed = run(once, "replay", "long.jsonl", "--out", "results", "--json");
  });
  afterAll(() => rmSync(once, { recursive: true, force: true }));

  it("leaves a report, figures and one database for each policy, and rebuilds every request from them", () => {
    const left = readdirSync(join(once, "results")).sort();
    const checked = run(once, "check", "results", "--json");

    const { runs } = JSON.parse(replayed.stdout) as Output;
    expect(runs.map(({ policy, database }) => [policy, database])).toEqual([
      ["plain", "long-plain.sqlite"],
      ["ssot", "long-ssot.sqlite"],
      ["log", "long-log.sqlite"],
    ]);
    expect(left).toEqual(["long-log.sqlite", "long-plain.sqlite", "long-ssot.sqlite", "report.html", "results.json"]);
    const checks = checked.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { requests: number; equal: number });
    expect(checks.map(({ requests, equal }) => [requests, equal])).toEqual([
      [calls, calls],
      [calls, calls],
      [calls, calls],
    ]);
    expect(checked.status).toBe(0);
  });

  it("tells when a request cannot be rebuilt as it was", async () => {
    await inFolder((folder) => {
      copyFileSync(join(once, "results", "long-log.sqlite"), join(folder, "long-log.sqlite"));
      mixUpTexts(join(folder, "long-log.sqlite"));

      const checked = run(folder, "check", "long-log.sqlite");

      expect(checked.status).toBe(1);
    });
  });

  it("keeps the sessions of one command apart in a shared database", async () => {
    await inFolder((folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"), calls);

      run(folder, "replay", "long.jsonl", "--shared", "--out", "shared", "--policy", "plain,log");
      const checked = run(folder, "check", join("shared", "shared.sqlite"));

      expect(checked.status).toBe(0);
      expect(checked.stdout.trim().split("\n")).toHaveLength(2);
    });
  });

  it("writes no database for a store in memory", async () => {
    await inFolder((folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"), calls);

      const { status } = run(
        folder,
        "replay",
        "long.jsonl",
        "--store",
        "memory",
        "--policy",
        "plain",
        "--out",
        "results",
      );

      expect(status).toBe(0);
      expect(readdirSync(join(folder, "results")).sort()).toEqual(["report.html", "results.json"]);
    });
  });
});

/** Damages a database as no store would: every kept text becomes the first one. */
function mixUpTexts(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`DROP TRIGGER blob_fixed;
    UPDATE blob SET (data, enc, size) = (SELECT data, enc, size FROM blob ORDER BY bid LIMIT 1)`);
  database.close();
}
