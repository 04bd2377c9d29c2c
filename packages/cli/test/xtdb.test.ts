// @module-tag xtdb
// Verifies: the same commands on a node of XTDB.
import { randomUUID } from "node:crypto";
import { openXtdbStore } from "@cm/store-xtdb";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { beforeAll, expect, it } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { jsonLines, runCm } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";
import { fillSample } from "./support/sample-store.ts";
import { check, erased, imported, session } from "./support/shapes.ts";
import { canary, open, takeStep, typeSecret } from "./support/typed-secret.ts";

withXtdb("cm on a node of XTDB", (address) => {
  const sample = sampleFolder();
  const namespace = `cm-test-${randomUUID()}`;
  const env = () => ({
    CM_XTDB_URL: address.urls.join(","),
    CM_XTDB_NAMESPACE: namespace,
    ...(address.token === undefined ? {} : { CM_XTDB_TOKEN: address.token }),
  });
  const cm = (...args: string[]) => inProcess(["--json", ...args], { env: env() });

  beforeAll(async () => {
    const store = openXtdbStore({ ...address, namespace });
    await fillSample(store);
    await store.close();
  });

  it("lists, shows, compares and verifies as on a file", async () => {
    const built = runCm(["sessions", "--json"], { env: env() });

    expect(built).toMatchObject({ status: 0, stderr: "" });
    expect(jsonLines(built.stdout).map((line) => session.parse(line).session)).toEqual(["alpha", "beta"]);
    const onFile = (...args: string[]) => inProcess(["--store", sample.store, "--json", ...args]);
    for (const args of [["diff", "notes.txt"], ["at", "alpha@1", "--prompt"], ["at", "alpha@2"], ["verify"]]) {
      expect((await cm(...args)).stdout, args.join(" ")).toBe((await onFile(...args)).stdout);
    }
  });

  it("takes a session over from a file, and says that the node answers", async () => {
    const bundle = await inProcess(["--store", sample.store, "export", "alpha"]);
    const other = { ...env(), CM_XTDB_NAMESPACE: `${namespace}-2` };

    const result = await inProcess(["--json", "import", "-"], { env: other, input: bundle.stdout });

    expect(imported.parse(JSON.parse(result.stdout)).outcome).toBe("imported");
    const checks = jsonLines((await cm("doctor")).stdout).map((line) => check.parse(line));
    expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
  });

  it("erases what was typed, and the session goes on and travels", async () => {
    const other = { ...env(), CM_XTDB_NAMESPACE: `${namespace}-3` };
    const store = openXtdbStore({ ...address, namespace: other.CM_XTDB_NAMESPACE });
    await typeSecret(store, 1);
    const run = (...args: string[]) => inProcess(["--json", ...args], { env: other });

    const receipt = await run("erase", "typed@1", "--reason", "a secret", "--yes");
    await takeStep(await open(store, "typed"), "Go on.");
    const bundle = await inProcess(["export", "typed"], { env: other });

    expect(erased.parse(JSON.parse(receipt.stdout)).erased).toContain("step:typed:1");
    expect(bundle.status).toBe(0);
    expect(bundle.stdout).not.toContain(canary);
    expect(jsonLines((await run("verify")).stdout).at(-1)).toMatchObject({ damaged: 0 });
    expect(jsonLines((await run("at", "typed@3", "--prompt")).stdout)[0]).toMatchObject({ complete: false });
    await store.close();
  });

  it("erases for good", async () => {
    const { stdout } = await cm("erase", "name.txt", "--reason", "a secret", "--yes");

    expect(erased.parse(JSON.parse(stdout)).erased).toHaveLength(1);
    expect((await cm("show", "alpha", "f2")).stdout).toContain('"text":null');
  });
});
