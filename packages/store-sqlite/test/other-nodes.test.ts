// @module-tag process
// @module-tag long
// Verifies: decision 81: on the oldest and the newest Node the store is the same one, alone and beside others.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { withNodes } from "../../../tools/nodes/with-nodes.ts";
import { openConnection } from "../src/open-connection.ts";
import { freshPath } from "./support/folder.ts";
import { campaign, runSeed } from "./support/random.ts";

const script = (name: string) => fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url));

/** A program of Node that says nothing on stderr; gives what it printed. @throws for one that failed */
async function run(node: string, ...args: readonly string[]): Promise<unknown> {
  // Node 22 warns that it takes types away from our source, which no built package has.
  const { stdout, stderr } = await promisify(execFile)(node, ["--disable-warning=ExperimentalWarning", ...args]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

withNodes("the SQLite store", ({ version, node }) => {
  it("fulfils object-store/1 and answers as the memory store does", async () => {
    const { seed, replay } = runSeed("answers as the memory store does");

    const { passed, of, ...ran } = (await run(node, script("suite-process"), `${seed}`)) as Record<string, number>;

    expect({ ...ran, passed }, replay).toEqual({ node: version, passed: of });
    expect(of).toBeGreaterThan(90);
  });

  it("loses no commit where two Nodes write and move the log at once", async () => {
    const path = freshPath();
    const count = campaign ? 3_000 : 125;
    const nodes = [node, process.execPath, node, process.execPath];

    await Promise.all(
      nodes.map((program, place) => run(program, script("log-writer"), path, `writer ${place}`, `${count}`)),
    );

    const connection = openConnection(path, { timeoutMs: 1_000, checkpointPages: 1_000, readOnly: true });
    expect(connection.pragma("PRAGMA integrity_check")).toBe("ok");
    const rows = connection.all("SELECT name, count(*) AS rows, max(n) AS last FROM t GROUP BY name ORDER BY name");
    expect(rows).toEqual(nodes.map((_, place) => ({ name: `writer ${place}`, rows: count, last: count - 1 })));
    connection.close();
  });
});
