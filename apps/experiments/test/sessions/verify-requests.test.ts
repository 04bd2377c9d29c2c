// @module-tag xtdb
// Verifies: SSOT 2.8: a verification of a store that is far away asks by hundreds, not object by object.
import { randomUUID } from "node:crypto";
import { chatId, type ObjectDocument, sealDocument } from "@cm/object-model";
import { type Finding, verifyStore } from "@cm/session/verify";
import { openXtdbStore } from "@cm/store-xtdb";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { expect, it } from "vitest";
import { requestsOf } from "../support/requests.ts";

const [objects, requestsMax] = process.env.CM_CAMPAIGN === "1" ? [10_000, 300] : [2_500, 120];

withXtdb("verifying on XTDB", (address) => {
  const namespace = `test-${randomUUID()}`;

  it(`takes at most ${requestsMax} requests for ${objects} objects`, async () => {
    const open = () => openXtdbStore({ ...address, namespace });
    const writer = open();
    for (let from = 0; from < objects; from += 1_250) {
      const documents = Array.from({ length: 1_250 }, (_, n) => call(from + n));
      await writer.commit(documents.map((document) => ({ document, expect: "absent" })));
    }
    await writer.close();
    const reader = open();
    const findings: Finding[] = [];

    const requests = await requestsOf(async () => {
      for await (const finding of verifyStore(reader)) findings.push(finding);
    });
    await reader.close();

    // Each names a chat that is not there, so each was looked at.
    expect(new Set(findings.map(({ id }) => id)).size).toBe(objects);
    expect(requests.length).toBeLessThanOrEqual(requestsMax);
  });
});

const call = (n: number): ObjectDocument =>
  sealDocument(
    { type: "toolcall", id: `call_${n}` },
    {
      content: `text ${n}`.repeat(n % 50 === 0 ? 300 : 1),
      tool: "bash",
      args: {},
      status: "ok",
      chat_ref: chatId("s1"),
    },
  );
