// @module-tag xtdb
// @module-tag long
// Verifies: SSOT 2.8, 3.11, F13: a large store goes from SQLite to Postgres, on to XTDB and back, and is what it was.
import { channel } from "node:diagnostics_channel";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined, type ObjectStore } from "@cm/object-model";
import { withPostgres } from "@cm/private-postgres/vitest";
import { openPostgresStore } from "@cm/store-postgres";
import { openSqliteStore } from "@cm/store-sqlite";
import type { StartOptions } from "@cm/xtdb-node";
import { afterAll, expect, it } from "vitest";
import { copyStore } from "../src/index.ts";
import { digestOf } from "./support/digest-of.ts";
import { writeLargeStore } from "./support/large-store.ts";
import { withNode } from "./support/live-node.ts";

const mebibyte = 1024 * 1024;
/** 500 MiB in a campaign, unless CM_COPY_MIB says how many. */
const isCampaign = process.env.CM_CAMPAIGN === "1";
const size = Number(process.env.CM_COPY_MIB ?? (isCampaign ? 500 : 1));
const folder = mkdtempSync(join(tmpdir(), "cm-large-copy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The node of the run is small. */
const node: StartOptions | undefined = isCampaign
  ? { storage: { kind: "rocksdb", folder: join(folder, "xtdb") } }
  : undefined;

withPostgres("with a Postgres", (postgres) => {
  withNode(
    "and an XTDB database",
    (openXtdb) => {
      it(`a store of ${size} MiB is copied around, equal in each, every past prompt byte for byte`, async () => {
        const [path, back] = [join(folder, "from.sqlite"), join(folder, "back.sqlite")];
        await writeLargeStore(path, size * mebibyte);
        const stores: readonly (readonly [string, Open])[] = [
          ["Postgres", (now) => openPostgresStore({ url: postgres.url, ...defined({ now }) })],
          ["XTDB", async (now) => openXtdb({ namespace: "large-copy", ...defined({ now }) })],
          ["SQLite", async (now) => openSqliteStore({ path: back, synchronous: "normal", ...defined({ now }) })],
        ];
        let from: ObjectStore = openSqliteStore({ path, readOnly: true });
        const expected = await timed("digest of SQLite", () => digestOf(from));
        console.log(JSON.stringify({ bytes: statSync(path).size, ...expected }));

        for (const [name, open] of stores) {
          const source = from;
          await timed(`copy to ${name}`, () => copyStore(source, ({ now }) => open(now)));
          await source.close?.();
          const to = await open();
          expect(await timed(`digest of ${name}`, () => digestOf(to)), name).toEqual(expected);
          from = to;
        }
        await from.close?.();

        expect(expected.changed).toBe(0);
        expect(expected.prompts).toBeGreaterThan(0);
      });
    },
    node,
  );
});

type Open = (now?: () => number) => Promise<ObjectStore>;

/** Of the client of XTDB. */
let requests = 0;
channel("undici:request:create").subscribe(() => {
  requests += 1;
});

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [begun, before, asked] = [performance.now(), process.cpuUsage(), requests];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  console.log(
    `${what}: ${seconds(performance.now() - begun)}, ${seconds((user + system) / 1_000)} of a processor, resident ${Math.round(process.memoryUsage().rss / mebibyte)} MiB, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB so far, ${requests - asked} requests to XTDB`,
  );
  return result;
}
