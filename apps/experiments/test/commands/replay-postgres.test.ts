// @module-tag process
// @module-tag long
// Verifies: SSOT 6.3: replaying into a Postgres, each run in a schema of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withPostgres } from "@cm/private-postgres/vitest";
import { writeGeneratedRecording } from "@cm/replay/generated";
import { expect, it } from "vitest";
import { inFolder, run, runWith } from "../support/command.ts";

const replayInto = ["replay", "long.jsonl", "--store", "postgres", "--policy", "plain", "--json", "--out", "results"];

withPostgres("a replay into Postgres", (postgres) => {
  it("gives the requests that SQLite gives, and names no login", async () => {
    await inFolder((folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"), 8);
      const url = postgres.url.replace("cm@", "cm:hunter2@");

      const shared = runWith({ CM_POSTGRES_URL: url }, folder, ...replayInto, "--dump", "postgres.dump");
      run(folder, "replay", "long.jsonl", "--policy", "plain", "--out", "results-sqlite", "--dump", "sqlite.dump");

      expect(shared.status).toBe(0);
      const dumps = ["postgres.dump", "sqlite.dump"].map((name) => readFileSync(join(folder, name), "utf8"));
      expect(dumps[0]).toBe(dumps[1]);
      const report = readFileSync(join(folder, "results/report.html"), "utf8");
      expect(`${shared.stdout}${shared.stderr}${report}`).not.toContain("hunter2");
    });
  });
});

it.each([
  ["none is named", "", "needs CM_POSTGRES_URL"],
  ["no server listens", "postgres://cm:hunter2@127.0.0.1:1/db", "cannot be reached"],
])("says in a sentence that %s", async (_why, url, words) => {
  await inFolder((folder) => {
    writeGeneratedRecording(join(folder, "long.jsonl"), 2);

    const { status, stderr } = runWith({ CM_POSTGRES_URL: url }, folder, ...replayInto);

    expect(status).not.toBe(0);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("hunter2");
  });
});
