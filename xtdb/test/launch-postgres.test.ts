// @module-tag xtdb
// Verifies: several nodes on one Postgres are one database (F2 for a shared store).
import { findPostgres, startPrivatePostgres } from "@cm/private-postgres";
import { expect, it, onTestFinished } from "vitest";
import { inCampaign } from "../../tools/in-campaign.ts";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { get, put } from "./support/ask.ts";
import { temporaryFolder } from "./support/folders.ts";
import { isRunning, runNode } from "./support/running.ts";

const withPostgres = requirement(
  "Java 17, XTDB's jars and Postgres",
  () => whatIsMissing() === undefined && findPostgres() !== undefined,
);

withPostgres("two nodes on one Postgres", () => {
  // `two-nodes` of the store shows all of it on the same nodes.
  inCampaign("read what the other wrote, at the same basis, and go on when one of them dies", async () => {
    const postgres = await startPrivatePostgres();
    onTestFinished(() => postgres.stop());
    const [ours, theirs] = [temporaryFolder(), temporaryFolder()];
    const on = (indexFolder: string) => ({ storage: { kind: "postgres", url: postgres.url, indexFolder } as const });
    const [first, second] = await Promise.all([runNode(on(ours)), runNode(on(theirs))]);
    const read = async (url: string, txId: number): Promise<unknown> =>
      JSON.parse((await get(url, `entity?eid=a&tx-id=${txId}&await-tx-id=${txId}`)).body);

    const one = await put(first.url, '{:xt/id "a" :n 1}');
    const two = await put(first.url, '{:xt/id "a" :n 2}');

    expect(await read(second.url, one)).toEqual({ "xt/id": "a", n: 1 });
    expect(await read(second.url, two)).toEqual({ "xt/id": "a", n: 2 });

    await first.kill();
    const three = await put(second.url, '{:xt/id "a" :n 3}');
    expect(await read(second.url, three)).toEqual({ "xt/id": "a", n: 3 });

    const again = await runNode(on(ours));
    expect(await read(again.url, three)).toEqual({ "xt/id": "a", n: 3 });
    expect(await put(again.url, '{:xt/id "a" :n 4}')).toBeGreaterThan(three);
  });

  it("wait for Postgres to come back, rather than end", async () => {
    const postgres = await startPrivatePostgres();
    onTestFinished(() => postgres.stop());
    const node = await runNode({
      storage: { kind: "postgres", url: postgres.url, indexFolder: temporaryFolder() },
    });
    await put(node.url, '{:xt/id "a" :n 1}');

    await postgres.stop();

    await expect.poll(async () => (await get(node.url, "sync?timeout=100")).status).not.toBe(200);
    expect(isRunning(node.pid)).toBe(true);
    expect(JSON.parse((await get(node.url, "entity?eid=a")).body)).toEqual({ "xt/id": "a", n: 1 });
  });
});
