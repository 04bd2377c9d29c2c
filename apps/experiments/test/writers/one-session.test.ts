// @module-tag xtdb
// @module-tag long
// Verifies: F6, SSOT 3.7, 3.8: several processes write one session; every step is in it or in one of its forks.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { verifyStore } from "@cm/session/verify";
import { runWriter } from "@cm/testkit";
import { expect, it, onTestFinished } from "vitest";
import { openShared, type SharedStore } from "../support/open-shared.ts";
import { withSharedStore } from "../support/stores.ts";
import { acknowledged, inOneLine, stepsIn } from "./acknowledged.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const script = join(import.meta.dirname, "appender.ts");
const writers = isCampaign ? 8 : 4;
/** One after the other in a campaign, on a machine that others keep busy. */
const rounds = { SQLite: isCampaign ? 5 : 1, XTDB: 1 };
const appends = { SQLite: isCampaign ? 1_250 : 10, XTDB: isCampaign ? 200 : 3 };

for (const kind of ["SQLite", "XTDB"] as const) {
  withSharedStore(
    kind,
    `${writers} processes that append ${appends[kind]} steps each to a session on ${kind}`,
    (use) => {
      it.each(Array.from({ length: rounds[kind] }, (_, round) => round + 1))(
        "lose none, and none of them gives up (round %i)",
        () =>
          use(async (shared) => {
            if (isCampaign) keepBusy();

            const ends = await appendAll(shared, appends[kind]);

            expect(ends.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
              ends.map(() => ({ exitCode: 0, stderr: "" })),
            );
            const written = ends.flatMap(({ lines }) => lines.map(acknowledged));
            const store = openShared(shared);
            const found = await stepsIn(store);
            expect(found.map(inOneLine).sort()).toEqual(written.map(inOneLine).sort());
            expect(written.map(({ callId }) => callId).sort()).toEqual([...expectedIds(appends[kind])].sort());
            // Of all writers one at most went on in the session itself, and each of the others began one fork.
            for (const { lines } of ends) {
              const sessions = new Set(lines.map((line) => acknowledged(line).session));
              expect([...sessions].filter((name) => name !== "shared").length).toBeLessThanOrEqual(1);
            }
            const findings: unknown[] = [];
            for await (const finding of verifyStore(store)) findings.push(finding);
            expect(findings).toEqual([]);
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

/** Programs that do nothing else, twice as many as the machine does at once, until the test is over. */
function keepBusy(): void {
  const others = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  onTestFinished(() => {
    for (const other of others) other.kill("SIGKILL");
  });
}
