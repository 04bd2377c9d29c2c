// @module-tag xtdb
// @module-tag long
// Verifies: a node that makes its index again answers meanwhile, with 400 or the truth and nothing between; it lives, and is
// not ready while its index lacks much of the log.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing } from "../launch/index.ts";
import { ask, get, post } from "./support/ask.ts";
import { temporaryFolder } from "./support/folders.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
/** What a node that is ready may lack, in transactions. */
const lagMax = 1_000;
const transactions = 1_200;
/** In the first transaction: while it is indexed, the index is empty and the log is not. */
const firstDocuments = 6_000;

/** Transactions of the log that the index lacks; without end as long as the node does not say. */
async function lag(url: string): Promise<number> {
  const { body } = await ask(url, { path: "/metrics" });
  return Number(/^cm_xtdb_tx_lag (\d+)$/m.exec(body)?.[1] ?? Number.POSITIVE_INFINITY);
}

withXtdb("a node without its index", () => {
  it("answers while it makes it again, lives, and is not ready", async () => {
    const folder = temporaryFolder();
    const storage = { kind: "rocksdb", folder } as const;
    const before = await startNode({ quick: true, storage });
    try {
      const first = Array.from({ length: firstDocuments }, (_, n) => `[:xtdb.api/put {:xt/id "first-${n}" :w ${n}}]`);
      await post(before.url, "submit-tx", `{:tx-ops [${first.join(" ")}]}`);
      for (let from = 0; from < transactions; from += 50) {
        const some = Array.from({ length: 50 }, (_, n) => `{:tx-ops [[:xtdb.api/put {:xt/id ${from + n} :v ${n}}]]}`);
        await Promise.all(some.map((body) => post(before.url, "submit-tx", body)));
      }
    } finally {
      await before.stop();
    }
    await rm(join(folder, "indices"), { recursive: true });

    const node = await startNode({ quick: true, storage });
    try {
      const probe = (path: string) => ask(node.url, { path }).then(({ status, body }) => [status, body] as const);
      const [ready, lives] = await Promise.all([probe("/readyz"), probe("/healthz")]);
      const lacked = await lag(node.url);
      const last = transactions;
      const query = "{:query {:find [(count e)] :where [[e :v]]}}";
      const asked = [
        ...[
          `entity?eid-edn=1&tx-id=${last}`,
          "entity?eid=first-1",
          "entity-tx?eid=first-1",
          `tx-committed?tx-id=${last}`,
        ],
        ...["entity?eid=first-1&history=true&sort-order=asc", "tx-log", "status", "db", "attribute-stats"],
        ...["latest-completed-tx", "latest-submitted-tx", "recent-queries"],
      ];
      const early = [await post(node.url, `query?tx-id=${last}`, query)];
      // Round after round, so that each question also comes while the first transaction is half indexed.
      for (let isBehind = true; isBehind; ) {
        const answers = await Promise.all([
          post(node.url, "query", query),
          ...asked.map((path) => get(node.url, path)),
          ask(node.url, { path: "/healthz" }),
          ask(node.url, { path: "/metrics" }),
        ]);
        early.push(...answers);
        isBehind = (await lag(node.url)) > 0;
      }
      const late = await post(node.url, `query?tx-id=${last}&await-tx-id=${last}&await-tx-timeout=30000`, query);

      // Where this process had to wait, the index may have caught up before the first question.
      if (lacked > lagMax)
        expect(ready).toEqual([503, expect.stringMatching(/^The index lacks 1\d{3} transactions\.\n$/)]);
      expect(lives).toEqual([200, "ok\n"]);
      expect(await probe("/readyz")).toEqual([200, "ok\n"]);
      // With their bodies: which question was refused, and why, is not to be had a second time.
      expect(early.filter(({ status }) => ![200, 400, 404].includes(status))).toEqual([]);
      const [first] = early;
      if (first?.status === 200) expect(first.body).toBe(`[[${transactions}]]`);
      expect([late.status, late.body]).toEqual([200, `[[${transactions}]]`]);
    } finally {
      await node.stop();
    }
  });
});
