// @module-tag xtdb
// Verifies: SSOT 3.6, decision 0045: a session of 10,000 files on XTDB is resumed in few requests, however many files
// changed. The short form has fewer files, in as many requests.

import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StepRecord } from "@cm/context-log";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { openXtdbStore } from "@cm/store-xtdb";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { expect, it } from "vitest";
import { inFolder } from "../support/command.ts";
import { requestsOf } from "../support/requests.ts";

const files = process.env.CM_CAMPAIGN === "1" ? 10_000 : 600;
const changed = 100;
const filesPerStep = Math.min(1_000, files / 4);

withXtdb("resuming on XTDB", (address) => {
  const namespace = `test-${randomUUID()}`;

  it(`takes at most 15 requests for ${files} files of which ${changed} changed`, async () => {
    await inFolder(async (folder) => {
      const source = createFilesystemSource({ roots: [folder] });
      const open = async () => {
        const store = await openXtdbStore({ ...address, namespace });
        return {
          store,
          session: await openSession({ store, layout: layouts.log, rendererFor, session: "s", sources: [source] }),
        };
      };
      write(folder, 0, files, "first");
      const first = await open();
      for (let n = 0; n < files; n += filesPerStep) {
        await first.session.assemble();
        await first.session.record(await readsOf(source, folder, n));
      }
      await first.session.close();
      await first.store.close();
      write(folder, 0, changed, "second");
      let seen: Awaited<ReturnType<typeof open>> | undefined;

      const requests = await requestsOf(async () => {
        seen = await open();
        await seen.session.assemble();
      });

      const texts = (await seen?.session.objects())?.map(({ text }) => text) ?? [];
      expect(texts.filter((text) => text?.includes("second"))).toHaveLength(changed);
      expect(requests.length).toBeLessThanOrEqual(15);
      await seen?.session.close();
      await seen?.store.close();
      await source.close();
    });
  });
});

function write(folder: string, from: number, to: number, what: string): void {
  for (let n = from; n < to; n += 1) {
    const path = pathOf(folder, n);
    mkdirSync(dirname(path), { recursive: true });
    // Every tenth is a long text, which XTDB's store keeps beside the version.
    writeFileSync(path, `${what} text of file ${n}\n`.repeat(n % 10 === 0 ? 60 : 1));
  }
}

const pathOf = (folder: string, n: number) => join(folder, `part-${n % 100}`, `${n}.txt`);

/** One call that reads the next files. */
async function readsOf(
  source: ReturnType<typeof createFilesystemSource>,
  folder: string,
  from: number,
): Promise<StepRecord> {
  const touched = Array.from({ length: filesPerStep }, (_, place) => pathOf(folder, from + place));
  const bindings = await Promise.all(touched.map((path) => source.bind(path)));
  return {
    answer: { role: "assistant", text: "", calls: [{ callId: `c${from}`, tool: "search", args: {} }] },
    results: [
      {
        role: "tool",
        callId: `c${from}`,
        text: "found",
        failed: false,
        files: bindings.map((binding) => ({ binding, as: "read" })),
      },
    ],
  };
}
