// @module-tag xtdb
// Holds the door against what XTDB's own HTTP server answered, request by request (fixtures/wire).
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import type { Answer } from "./support/ask.ts";
import { type Exchange, expectSame, readExchanges, send } from "./support/exchanges.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

/** The door has no CSV. */
const leftOut = ["query-csv", "empty-query-csv"];

/** What the door answers where upstream misbehaves. */
const mended: Readonly<Record<string, { status: number; says: string }>> = {
  "history-no-sort-order": { status: 400, says: "sort-order" },
  "tx-committed-ahead": { status: 400, says: "node-out-of-sync" },
  "entity-await-tx-time-ahead": { status: 500, says: "TimeoutException" },
  "date-word": { status: 400, says: "valid-time" },
  "refused-class": { status: 400, says: "fn-not-allowed" },
  "refused-in-args-missing": { status: 400, says: "in-args-mismatch" },
  "stream-failure-json": { status: 500, says: "ClassCastException" },
  "stream-failure-edn": { status: 500, says: "ClassCastException" },
  "lone-surrogate": { status: 400, says: "ill-formed-text" },
  "lone-surrogate-entity": { status: 500, says: "TimeoutException" },
};

function expectMended({ id, fault }: Exchange, answer: Answer): void {
  const meant = mended[id];
  expect(answer.status, fault).toBe(meant?.status);
  expect(answer.body).toContain(meant?.says);
}

for (const file of ["exchanges.jsonl", "exchanges-open.jsonl"]) {
  withXtdb(`${file}: the door answers as upstream`, () => {
    const exchanges = readExchanges(file).filter(({ id }) => !leftOut.includes(id));
    const answers: Promise<Answer>[] = [];
    let node: Door;

    beforeAll(async () => {
      node = await startDoor({ door: { ":transaction-functions?": true } });
    });
    afterAll(() => node?.stop());

    /** Sends what comes before an exchange, too: each depends on the writes before it. */
    async function answerTo(at: number): Promise<Answer> {
      for (let next = answers.length; next <= at; next++) {
        await answers.at(-1);
        const exchange = exchanges[next];
        if (exchange !== undefined) answers.push(send(node.url, exchange));
      }
      const answer = await answers[at];
      expect.assert(answer !== undefined);
      return answer;
    }

    it.each(exchanges.map((exchange, at) => ({ ...exchange, at })))("$id: $about", async ({ at, ...exchange }) => {
      const first = await answerTo(at);

      if (exchange.fault !== undefined) expectMended(exchange, first);
      else if (exchange.lags !== true) expectSame(exchange, first);
      else {
        const settled = async () => expectSame(exchange, await send(node.url, exchange));
        await expect.poll(settled).toBeUndefined();
      }
    });
  });
}
