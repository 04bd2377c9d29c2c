// @module-tag xtdb
// Verifies: F2, SSOT 2.8, 7.4: two nodes on one Postgres are one database, and a store goes on when one of them dies.

import { findPostgres, startPrivatePostgres } from "@cm/private-postgres";
import { startNode, whatIsMissing } from "@cm/xtdb-node";
import { expect, it, onTestFinished } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { openXtdbStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshFolder } from "./support/folder.ts";
import { connect } from "./support/live-node.ts";

const withPostgres = requirement(
  "Java 17, XTDB's jars and Postgres",
  () => whatIsMissing() === undefined && findPostgres() !== undefined,
);

withPostgres("stores on two XTDB nodes with one Postgres", () => {
  it("read what the other wrote at its basis, never overwrite each other, outlive a node, and take it back", async () => {
    const postgres = await startPrivatePostgres();
    onTestFinished(() => postgres.stop());
    const [index, another] = [freshFolder(), freshFolder()];
    const [first, second] = await Promise.all([startOn(postgres.url, index), startOn(postgres.url, another)]);
    const clients = [connect([first.url, second.url]), connect([second.url])];
    onTestFinished(async () => {
      for (const client of clients) await client.close();
    });
    const [ours, theirs] = clients.map((client) => openXtdbStore({ client }));
    if (ours === undefined || theirs === undefined) throw new Error("There are two stores.");
    const long = "long text ".repeat(500);
    const written = await ours.commit([
      { document: toolcall("call", "one"), expect: "absent" },
      { document: toolcall("long", long), expect: "absent" },
    ]);

    const read = await theirs.getMany(["call", "long"], written.basis);
    expect([...read.values()].map(({ document }) => document?.content)).toEqual(["one", long]);

    const token = read.get("call")?.token ?? "";
    const outcomes = await Promise.allSettled([
      ours.commit([{ document: toolcall("call", "ours"), expect: token }]),
      theirs.commit([{ document: toolcall("call", "theirs"), expect: token }]),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);

    await first.kill();
    const after = await ours.commit([{ document: toolcall("call", "after"), expect: "any" }]);

    const now = (await theirs.getMany(["call"], after.basis)).get("call");
    expect(now?.document?.content).toBe("after");
    expect((await theirs.history("call")).versions.length).toBe(3);
    // With the index that it had: it lacks what the other one wrote meanwhile.
    const back = await startOn(postgres.url, index);
    const client = connect([back.url]);
    onTestFinished(() => client.close());
    const its = openXtdbStore({ client });
    expect((await its.getMany(["call"], after.basis)).get("call")).toEqual(now);
    const last = await its.commit([{ document: toolcall("call", "back"), expect: now?.token ?? "" }]);
    expect((await theirs.getMany(["call"], last.basis)).get("call")?.document?.content).toBe("back");
    await second.stop();
  });
});

async function startOn(url: string, indexFolder: string) {
  const node = await startNode({ quick: true, storage: { kind: "postgres", url, indexFolder } });
  onTestFinished(() => node.kill());
  return node;
}
