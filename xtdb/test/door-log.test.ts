// @module-tag xtdb
// Verifies: faults are logged for the operator, and nothing that a client sent is (T14).
import { expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing } from "../launch/index.ts";
import { get, post, put } from "./support/ask.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const canary = "canary-5f0c";

withXtdb("the log of a node", () => {
  it("has one line for a request that failed, and no content in any", async () => {
    const lines: string[] = [];
    const node = await startNode({ quick: true, log: (line) => lines.push(line) });
    try {
      await put(node.url, `{:xt/id "${canary}" :v "${canary}"}`);
      await post(node.url, "submit-tx", `{:tx-ops [[:xtdb.api/put {:v "${canary}"}]]}`);
      await post(node.url, "submit-tx", `{:tx-ops [[:xtdb.api/put {:xt/id "${canary}" :v #${canary} 1}]]}`);
      await post(
        node.url,
        "query",
        `{:query {:find [x] :in [w] :where [[e :v v] [(+ v w) x]]} :in-args ["${canary}"]}`,
      );
      await post(node.url, "query", `{:query {:find [${canary}] :where [[e :v "${canary}"]]}}`);
      await get(node.url, `entity?eid=${canary}&valid-time=${canary}`);
      await get(node.url, `entity?eid=other-${canary}`);

      await expect.poll(() => lines.join("\n")).toContain("request failed");
    } finally {
      await node.stop();
    }
    expect(lines.filter((line) => line.includes("request failed"))).toEqual([
      expect.stringMatching(/request failed: \/_xtdb\/query java\.lang\.ClassCastException$/),
    ]);
    expect(lines.join("\n")).not.toContain(canary);
    expect(lines.join("\n")).not.toMatch(/^\s+at /m);
  });
});
