// @module-tag process
// @module-tag long
// Verifies: F1, T7, SSOT 7.4: a copy of a whole store that is killed goes on where it was, and is whole.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPostgres } from "@cm/private-postgres/vitest";
import { openPostgresStore } from "@cm/store-postgres";
import { expect, it, onTestFinished } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { cm } from "../support/run-cm.ts";
import { allOf } from "./support/all-of.ts";
import { fillStore } from "./support/filled-store.ts";
import { stallingProxy } from "./support/stalling-proxy.ts";

const steps = 60;

withPostgres("cm copy to a Postgres", (postgres) => {
  const stepsThere = async (): Promise<number> => {
    const store = await openPostgresStore({ url: postgres.url, schema: "copied", migrate: false });
    const { versions } = await store.find({ type: "step" });
    await store.close();
    return versions.length;
  };

  it("goes on with --resume after it was killed, twice, and the copy is what the first store is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cm-killed-copy-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [from, back] = [join(folder, "from.sqlite"), join(folder, "back.sqlite")];
    await fillStore(from, "alpha", steps);
    const copy = (url: string) => ["copy", "--from", from, "--to", url, "--to-namespace", "copied"];

    const there: number[] = [];
    for (const [bytes, more] of [
      [300_000, []],
      [400_000, ["--resume"]],
    ] as const) {
      const url = new URL(postgres.url);
      const proxy = await stallingProxy(Number(url.port), bytes);
      url.port = `${proxy.port}`;
      const child = spawn(process.execPath, [cm, ...copy(url.href), ...more], { stdio: "ignore" });
      const gone = once(child, "exit");
      await proxy.stalled;
      child.kill("SIGKILL");
      expect(await gone).toEqual([null, "SIGKILL"]);
      proxy.close();
      there.push(await stepsThere());
    }
    const [first = 0, second = 0] = there;
    expect([0 < first, first < second, second < steps]).toEqual([true, true, true]);

    expect((await inProcess(copy(postgres.url))).stderr).toContain("has objects");
    const resumed = await inProcess([...copy(postgres.url), "--resume"]);
    expect(resumed).toMatchObject({ status: 0, stdout: expect.stringContaining("are what they were") });
    await inProcess(["copy", "--from", `${postgres.url}?schema=copied`, "--to", back]);
    expect(await allOf(back)).toEqual(await allOf(from));
  });
});
