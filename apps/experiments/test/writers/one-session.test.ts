// @module-tag xtdb
// @module-tag long
// Verifies: F6, SSOT 3.7, 3.8: eight processes write one session; its index is the union of all that they appended.
import { join } from "node:path";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { openShared, type SharedStore, withSharedStore } from "../support/stores.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const script = join(import.meta.dirname, "appender.ts");
const writers = 8;
const appends = { SQLite: isCampaign ? 1_250 : 10, XTDB: isCampaign ? 200 : 3 };

for (const kind of ["SQLite", "XTDB"] as const) {
  withSharedStore(
    kind,
    `${writers} processes that append ${appends[kind]} steps each to a session on ${kind}`,
    (use) => {
      it("lose none, and none of them gives up", { timeout: 3_600_000 }, () =>
        use(async (shared) => {
          const ends = await appendAll(shared, appends[kind]);

          expect(ends.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
            ends.map(() => ({ exitCode: 0, stderr: "" })),
          );
          const total = writers * appends[kind];
          const numbers = ends.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
          expect(numbers).toEqual(Array.from({ length: total }, (_, n) => n));
          // Opening it verifies the chain.
          const store = openShared(shared);
          const session = await openSession({ store, layout: layouts.log, rendererFor, session: "shared" });
          expect(new Set(session.wrapper().session_index)).toEqual(new Set(expectedIds(appends[kind])));
          await store.close();
        }),
      );
    },
  );
}

function appendAll(shared: SharedStore, count: number) {
  return Promise.all(
    Array.from({ length: writers }, (_, name) =>
      runWriter({ script, args: [shared.kind, shared.where, `${name}`, `${count}`] }),
    ),
  );
}

function expectedIds(count: number): readonly string[] {
  return Array.from({ length: writers * count }, (_, n) => `call-${n % writers}-${Math.floor(n / writers)}`);
}
