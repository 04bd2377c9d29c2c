// @module-tag process
import { DatabaseSync } from "node:sqlite";
import { lineageTypes, openLineage, type Run } from "@cm/lineage";
import { layouts } from "@cm/render";
import { openSession } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { sampleFolder } from "../support/sample-file.ts";

const sample = sampleFolder();
const store = sample.at("served.sqlite");
const cm = (...args: string[]) => inProcess(["--store", store, ...args]);

/** A conversation of three runs, with a subagent of the first and a fork of the second, as a server writes them. */
beforeAll(async () => {
  const opened = openSqliteStore({ path: store, types: lineageTypes });
  const lineage = await openLineage({ store: opened });
  const commit = async (run: Run, session: string) => {
    const host = await openSession({ store: opened, layout: layouts.log, session });
    await host.receive([{ role: "user", text: String(run.input) }]);
    await host.assemble();
    const { n, basis } = await host.record({ answer: { role: "assistant", text: "Done." } });
    await host.close();
    const usage = { "p/m": { total_tokens: 1_200, prompt_tokens: 1_000, completion_tokens: 200, model_requests: 1 } };
    const state = { step: { session: host.session, n }, basis };
    await lineage.commit(run.session_id, { status: "committed", state, output: "Done.", usage, durationMs: 1_500 });
  };
  await commit(await lineage.root({ id: "first", input: "Plan a garden", presetId: "gardener" }), "first");
  const scout = await lineage.subagent({ id: "scout-1", spawnedBy: "first", name: "scout", input: "Look for seeds" });
  await commit(scout, "scout-1");
  await commit(await lineage.continue({ id: "second", conversationId: "first", input: "Add a pond" }), "first");
  await commit(await lineage.continue({ id: "third", conversationId: "first", input: "Add a bridge" }), "first");
  await commit(
    await lineage.fork({ id: "other", conversationId: "first", from: "second", input: "A tree, no pond" }),
    "other",
  );
  await lineage.continue({ id: "fourth", conversationId: "first", input: "And now?" });
  await opened.close();
});

describe("cm conversations", () => {
  it("lists conversations for people, newest first, with the run that runs", async () => {
    const { status, stdout } = await cm("conversations");

    expect(status).toBe(0);
    expect(
      stdout.split("\n").map((line) =>
        line
          .trimEnd()
          .split(/\s{2,}/)
          .slice(0, 5),
      ),
    ).toEqual([
      ["conversation", "title", "status", "preset", "running"],
      expect.arrayContaining(["other", "A tree, no pond", "active", "gardener"]),
      ["first", "Plan a garden", "active", "gardener", "fourth"],
      [""],
    ]);
  });

  it("gives programs one line each", async () => {
    expect(jsonLines((await cm("conversations", "--json")).stdout)).toMatchObject([
      { conversation: "other", running: null },
      { conversation: "first", running: "fourth" },
    ]);
  });
});

describe("cm runs", () => {
  it("lists the runs of a conversation with the steps that they are", async () => {
    const { stdout } = await cm("runs", "fir");

    expect(
      stdout
        .split("\n")
        .slice(1, -1)
        .map((line) =>
          line
            .split(/\s{2,}/)
            .slice(0, 4)
            .join(" "),
        ),
    ).toEqual([
      expect.stringContaining("fourth first running"),
      "third first committed first@2",
      "second first committed first@1",
      "scout-1 first committed (scout) scout-1@0",
      "first first committed first@0",
    ]);
    expect(stdout).toContain("1,200");
  });
});

describe("cm runs of a store with a run that failed", () => {
  it("says why it failed", async () => {
    const path = sample.at("failed.sqlite");
    const opened = openSqliteStore({ path, types: lineageTypes });
    const lineage = await openLineage({ store: opened });
    await lineage.root({ id: "first", input: "Plan a garden" });
    await lineage.fail("first", "The provider failed: no such model.");
    await opened.close();

    const { stdout } = await inProcess(["--store", path, "runs"]);

    expect(stdout.split("\n")[1]).toMatch(/^first +first +failed .*The provider failed: no such model\.$/);
  });
});

describe("cm tree", () => {
  it("shows the graph of a conversation as text", async () => {
    expect((await cm("tree", "first")).stdout).toBe(
      [
        "* first  committed  first@0  Plan a garden",
        "├─* scout-1  committed (scout)  scout-1@0  Look for seeds",
        "* second  committed  first@1  Add a pond",
        "├─* other  fork committed  other@0  A tree, no pond",
        "* third  committed  first@2  Add a bridge",
        "* fourth  running  And now?",
        "",
      ].join("\n"),
    );
  });

  it("draws what goes on from a branch below it, and not as one more branch", async () => {
    const branched = sample.at("branched.sqlite");
    const opened = openSqliteStore({ path: branched, types: lineageTypes });
    const lineage = await openLineage({ store: opened });
    const state = { step: { session: "none", n: 0 }, basis: "1" };
    const commit = (id: string) => lineage.commit(id, { status: "committed", state, output: "Done." });
    await lineage.root({ id: "one", input: "One" });
    await commit("one");
    await lineage.fork({ id: "two", conversationId: "one", from: "one", input: "Two" });
    await commit("two");
    await lineage.continue({ id: "three", conversationId: "two", input: "Three" });
    await opened.close();

    const { stdout } = await inProcess(["--store", branched, "tree", "one"]);

    expect(stdout).toBe(
      "* one  committed  none@0  One\n├─* two  fork committed  none@0  Two\n│ * three  running  Three\n",
    );
  });

  it("says which conversations there are where a name is none", async () => {
    expect(await cm("tree", "none")).toMatchObject({ status: 3, stderr: expect.stringContaining("cm conversations") });
  });
});

describe("cm fork", () => {
  it("begins a session at the end of a run, and refuses one that has no snapshot", async () => {
    const forked = await cm("fork", "second", "--as", "mine");
    const running = await cm("fork", "fourth");

    expect(forked.stdout).toBe("The session mine continues first@1.\n");
    expect(running).toMatchObject({ status: 4, stderr: expect.stringContaining("is running and has no snapshot") });
  });
});

it("verifies what a server wrote, and lists its sessions", async () => {
  expect((await cm("verify")).status).toBe(0);
  expect((await cm("sessions")).stdout).toMatch(/^first +paused +3 /m);
});

describe("cm copy", () => {
  it("takes conversations and runs along, which read as they did", async () => {
    const copied = sample.at("copied.sqlite");

    const { status } = await cm("copy", "--to", copied);

    expect(status).toBe(0);
    for (const args of [["conversations"], ["runs", "first"], ["tree", "first"], ["--json", "runs", "first"]]) {
      const there = await inProcess(["--store", copied, ...args]);
      expect(there.stdout, args.join(" ")).toBe((await cm(...args)).stdout);
    }
  });
});

describe("cm verify", () => {
  it("finds a damaged record of a run", async () => {
    const damaged = sample.at("damaged.sqlite");
    await cm("copy", "--to", damaged);
    const file = new DatabaseSync(damaged);
    file.exec(`DROP TRIGGER version_fixed;
      UPDATE version SET content_hash = zeroblob(32) WHERE oid IN (SELECT oid FROM object JOIN kind USING (kind_id)
        WHERE type = 'run' AND id LIKE '%fourth%')`);
    file.close();

    const { status, stdout } = await inProcess(["--store", damaged, "verify"]);

    expect(stdout).toMatch(/fourth/);
    expect(status).not.toBe(0);
    expect((await cm("verify")).status).toBe(0);
  });
});
