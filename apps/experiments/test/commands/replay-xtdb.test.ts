// @module-tag xtdb
// @module-tag long
// Verifies: SSOT 6.3: replaying into XTDB, on a node of its own and on one that others use.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeGeneratedRecording } from "@cm/replay/generated";
import { withOwnXtdb, withXtdb } from "@cm/xtdb-node/vitest";
import { expect, it } from "vitest";
import { inFolder, run, runWith } from "../support/command.ts";

interface Output {
  readonly runs: readonly { readonly session: string; readonly warnings: readonly string[] }[];
}

const replayInto = ["replay", "long.jsonl", "--store", "xtdb", "--policy", "plain", "--json", "--out", "results"];

withOwnXtdb("a replay into XTDB", () => {
  it("starts a node of its own, gives the requests that SQLite gives, and leaves no node behind", async () => {
    await inFolder((folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"), 4);

      const own = runWith({ CM_XTDB_URL: "" }, folder, ...replayInto, "--dump", "xtdb.dump");
      run(folder, "replay", "long.jsonl", "--policy", "plain", "--out", "results", "--dump", "sqlite.dump");

      expect(own.status).toBe(0);
      expect(readFileSync(join(folder, "xtdb.dump")).equals(readFileSync(join(folder, "sqlite.dump")))).toBe(true);
    });
  });
});

withXtdb("a replay into XTDB", ({ urls: [url], token }) => {
  it("keeps sessions apart by name on a node that others use, and says that this is weak", async () => {
    const env = { CM_XTDB_URL: url, ...(token === undefined ? {} : { CM_XTDB_TOKEN: token }) };
    await inFolder((folder) => {
      writeGeneratedRecording(join(folder, "long.jsonl"), 2);

      const outputs = [1, 2].map(() => runWith(env, folder, ...replayInto));

      expect(outputs.map(({ status }) => status)).toEqual([0, 0]);
      const runs = outputs.flatMap(({ stdout }) => (JSON.parse(stdout) as Output).runs);
      expect(new Set(runs.map(({ session }) => session)).size).toBe(2);
      expect(runs.flatMap(({ warnings }) => warnings)).toEqual([
        expect.stringContaining("isolation is weak"),
        expect.stringContaining("isolation is weak"),
      ]);
      expect(outputs[0]?.stderr).toContain("isolation is weak");
      expect(readFileSync(join(folder, "results/report.html"), "utf8")).toContain("isolation is weak");
    });
  });
});

it.each([
  ["no server listens", "http://127.0.0.1:9"],
  ["it is no URL", "not a url"],
])("says in one sentence that the node at CM_XTDB_URL cannot be used: %s", async (_why, url) => {
  await inFolder((folder) => {
    writeGeneratedRecording(join(folder, "long.jsonl"), 3);

    const { status, stderr } = runWith({ CM_XTDB_URL: url }, folder, ...replayInto);

    expect(status).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining("XTDB node cannot be used")]);
  });
});
