// @module-tag process
// Verifies: SSOT 2.8, 3.7: requests are followed as they are made, by hints of the store or by asking.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { withPostgres } from "@cm/private-postgres/vitest";
import { plainLayout, plainPolicy } from "@cm/render";
import { openSession } from "@cm/session";
import { openPostgresStore } from "@cm/store-postgres";
import { openSqliteStore } from "@cm/store-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";

/** Each step is written when the one before has been printed. */
async function followed(store: ObjectStore, place: string, ...args: string[]) {
  const layout = { policy: plainPolicy, renderer: plainLayout };
  const session = await openSession({ store, session: "alpha", layout });
  const step = async (text: string) => {
    await session.assemble();
    await session.record({ answer: { role: "assistant", text } });
  };
  await step("Zero.");
  await step("One.");
  let lines = 0;
  let writing = Promise.resolve();
  const result = await inProcess([...args, "--store", place, "requests", "alpha", "--follow"], {
    readsEnough: (stdout) => {
      const printed = stdout.split("\n").length - 1;
      if (printed > lines) writing = writing.then(() => step("More."));
      lines = printed;
      return printed > 3;
    },
  });
  await writing;
  await session.close();
  return result;
}

const steps = (stdout: string) =>
  stdout.split("\n").flatMap((line) => /step (\d+): [\d,]+ characters/.exec(line)?.[1] ?? []);

it("prints the newest request of a file's session, and each one that another process adds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-follow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "objects.sqlite");
  const store = openSqliteStore({ path });

  const { status, stdout, stderr } = await followed(store, path);

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(steps(stdout)).toEqual(["1", "2", "3", "4"]);
  expect((await inProcess(["--store", path, "requests", "alpha", "--follow", "--from", "1"])).status).toBe(2);
  await store.close();
});

withPostgres("on a Postgres", (postgres) => {
  it("prints them as the store says that there is more", async () => {
    const store = await openPostgresStore({ url: postgres.url });

    const { status, stdout } = await followed(store, postgres.url, "--json");

    expect(status).toBe(0);
    expect(jsonLines(stdout).map((line) => (line as { step: { n: number } }).step.n)).toEqual([1, 2, 3, 4]);
    await store.close();
  });
});
