// @module-tag xtdb
// @module-tag long
// Verifies: F3, T15: a fault between two pages, or at one of several nodes, is never taken for the end of what there is.
import { faults } from "@cm/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type HistoryEntry, type LogEntry, put, type XtdbClient } from "../src/index.ts";
import {
  all,
  canaries,
  codeOf,
  deadlineMsFor,
  endsByDeadline,
  indiscretionOf,
  withFaultyNode,
} from "./support/fault-world.ts";

const versions = 9;
/** A page ends with a chunk of the socket, so an answer has to be many of those. */
const long = `${canaries.content} `.repeat(1_000);

withFaultyNode(
  "pages through faults",
  (faulty) => {
    let id: string;
    let afterTxId: number;
    let lastTxId: number;

    beforeAll(async () => {
      id = faulty.freshId();
      afterTxId = faulty.world.txId;
      for (let version = 0; version < versions; version += 1) {
        lastTxId = (await faulty.direct.submitAndConfirm([put({ "xt/id": id, version, text: long })])).txId;
      }
    });

    const clientOf = (deadlineMs: number): XtdbClient => faulty.client({ deadlineMs, answerBytesMax: 65_536 });

    type Paged = readonly [string, (client: XtdbClient) => AsyncIterable<HistoryEntry | LogEntry>];
    const paged: readonly Paged[] = [
      ["history", (client) => client.history(id)],
      ["txLog", (client) => logUntil(client, { afterTxId, lastTxId })],
    ];

    describe.each(paged)("%s", (_, read) => {
      it.each(faults)("through %s at any of its requests", async (fault) => {
        const clean = await all(read(faulty.direct));
        await faulty.proxy.plan([]);
        const patient = clientOf(10_000);
        expect(await all(read(patient))).toEqual(clean);
        const requests = faulty.proxy.seen.length;
        await patient.close();
        expect(requests).toBeGreaterThan(2);

        for (let nth = 1; nth <= requests; nth += 1) {
          const client = clientOf(deadlineMsFor(fault));
          await faulty.proxy.plan([{ fault, nth }]);
          const came: unknown[] = [];
          let error: unknown;
          try {
            for await (const item of read(client)) came.push(item);
          } catch (reason) {
            error = reason;
          }

          if (error === undefined) expect([nth, came]).toEqual([nth, clean]);
          else {
            expect([nth, came]).toEqual([nth, clean.slice(0, came.length)]);
            expect(codeOf(error)).toMatch(/^xtdb\/(unreachable|deadline|bad-answer|server)$/);
            expect(indiscretionOf(error)).toBeUndefined();
          }
          await client.close();
        }
      });
    });

    it.each(faults)("health says what %s does to a node, and does not fail", async (fault) => {
      for (const nth of endsByDeadline(fault) ? [1] : [1, 2, 3]) {
        const deadlineMs = endsByDeadline(fault) ? 1_000 : 10_000;
        const client = faulty.client({ urls: [faulty.urls.faulty, faulty.urls.direct], deadlineMs });
        await faulty.proxy.plan([{ fault, nth }]);

        const [ill, well] = await client.health();

        const isWell = { reachable: true, ingesterFailed: false, code: undefined, lag: expect.any(Number) };
        expect(well).toMatchObject(isWell);
        if (ill?.code === undefined) expect(ill).toMatchObject(isWell);
        else expect([ill.lag, ill.code]).toEqual([undefined, expect.stringMatching(/^xtdb\//)]);
        await client.close();
      }
    });
  },
  { isOwn: true },
);

/** What others write later may be larger than these clients take. */
async function* logUntil(
  client: XtdbClient,
  { afterTxId, lastTxId }: { readonly afterTxId: number; readonly lastTxId: number },
): AsyncGenerator<LogEntry> {
  for await (const entry of client.txLog({ afterTxId, operations: true })) {
    if (entry.txId > lastTxId) return;
    yield entry;
  }
}
