// @module-tag process
// Verifies: SSOT 3.11, F16, T10, T11: how much memory a bundle takes does not follow from how long it is.
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLargeSession } from "./support/large-session.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const mebibyte = 1024 * 1024;
/** The heap that the process may use, in MiB, of which Node and the packages take 17: the bundle does not fit into it. */
const heapMax = isCampaign ? 48 : 30;
const size = isCampaign ? 100 : 16;

describe(`a bundle of ${size} MiB`, () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cm-portable-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(`is exported and imported within ${heapMax} MiB of heap`, async () => {
    const paths = ["from.db", "to.db", "large.cm"].map((name) => join(folder, name));
    const from = openSqliteStore({ path: paths[0] ?? "", synchronous: "normal" });
    await writeLargeSession(from, { session: "large", steps: size * 4, chars: mebibyte / 4 });
    await from.close();

    const { stdout } = await promisify(execFile)(process.execPath, [
      `--max-old-space-size=${heapMax}`,
      join(import.meta.dirname, "support/carry.ts"),
      ...paths,
    ]);

    expect((await stat(paths[2] ?? "")).size).toBeGreaterThan(size * mebibyte);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "imported", session: "large" });
  });
});
