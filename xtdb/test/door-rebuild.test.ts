// @module-tag xtdb
// Verifies: a node that makes its index again answers meanwhile, with 400 or the truth and nothing between.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing } from "../launch/index.ts";
import { get, post, put } from "./support/ask.ts";
import { temporaryFolder } from "./support/folders.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const transactions = 150;
/** In the first transaction: while it is indexed, the index is empty and the log is not. */
const firstDocuments = 12_000;

withXtdb("a node without its index", () => {
  it("answers while it makes it again", async () => {
    const folder = temporaryFolder();
    const storage = { kind: "rocksdb", folder } as const;
    const before = await startNode({ quick: true, storage });
    try {
      const first = Array.from({ length: firstDocuments }, (_, n) => `[:xtdb.api/put {:xt/id "first-${n}" :w ${n}}]`);
      await post(before.url, "submit-tx", `{:tx-ops [${first.join(" ")}]}`);
      const puts = Array.from({ length: transactions }, (_, n) => put(before.url, `{:xt/id ${n} :v ${n}}`));
      await Promise.all(puts);
    } finally {
      await before.stop();
    }
    await rm(join(folder, "indices"), { recursive: true });

    const node = await startNode({ quick: true, storage });
    try {
      const last = transactions;
      const query = "{:query {:find [(count e)] :where [[e :v]]}}";
      const early = await Promise.all([
        post(node.url, `query?tx-id=${last}`, query),
        get(node.url, `entity?eid-edn=1&tx-id=${last}`),
        get(node.url, `tx-committed?tx-id=${last}`),
        get(node.url, "tx-log"),
        get(node.url, "status"),
      ]);
      const late = await post(node.url, `query?tx-id=${last}&await-tx-id=${last}&await-tx-timeout=30000`, query);

      // With their bodies: which question was refused, and why, is not to be had a second time.
      expect(early.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      const [first] = early;
      if (first?.status === 200) expect(first.body).toBe(`[[${transactions}]]`);
      expect([late.status, late.body]).toEqual([200, `[[${transactions}]]`]);
    } finally {
      await node.stop();
    }
  });
});
