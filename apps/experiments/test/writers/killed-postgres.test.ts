// @module-tag process
// @module-tag long
// Verifies: F1, F2, F6, SSOT 3.7, 7.4: several processes write one session and four each of their own on a Postgres that is killed three times.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { withOwnPostgres } from "@cm/private-postgres/vitest";
import { verifyStore } from "@cm/session/verify";
import { runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { openShared } from "../support/open-shared.ts";
import { acknowledged, inOneLine, stepsIn } from "./acknowledged.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const writers = isCampaign ? 8 : 4;
const ownSessions = 4;
/** Of each writer in the session that all write, and in each session of its own: some ten minutes in a campaign. */
const steps = Number(process.env.CM_STEPS ?? (isCampaign ? 1_250 : 4));
const all = writers * (1 + ownSessions) * steps;
const cm = join(import.meta.dirname, "../../../../packages/cli/dist/cm.js");

withOwnPostgres(
  `${writers} processes on one session and ${writers * ownSessions} of their own, with a Postgres that is killed three times`,
  (own) => {
    it("lose no acknowledged step and double none", async () => {
      const { server } = own;
      const counts = new Map<number, number>();
      const done = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
      const begun = performance.now();

      const writing = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          runWriter({
            script: join(import.meta.dirname, "appender.ts"),
            args: ["Postgres", server.url, `${writer}`, `${steps}`, `${ownSessions}`],
            onLines: (count) => counts.set(writer, count),
          }),
        ),
      );
      let isWriting = true;
      const stop = () => {
        isWriting = false;
      };
      writing.then(stop, stop);
      let kills = 0;
      for (const part of [0.25, 0.5, 0.75]) {
        while (isWriting && done() < part * all) await pause(5);
        if (!isWriting) break;
        await server.kill();
        await server.start();
        kills += 1;
      }
      const ends = await writing;

      expect(ends.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
        ends.map(() => ({ exitCode: 0, stderr: "" })),
      );
      console.log(`${all} steps in ${Math.round((performance.now() - begun) / 1_000)} s, ${kills} kills`);
      expect(kills).toBe(3);
      const written = ends.flatMap(({ lines }) => lines.map(acknowledged));
      const store = openShared({ kind: "Postgres", where: server.url });
      const found = await stepsIn(store);
      expect(found.map(inOneLine).sort()).toEqual(written.map(inOneLine).sort());
      expect(new Set(written.map(({ callId }) => callId)).size).toBe(all);
      for (let writer = 0; writer < writers; writer += 1) {
        for (let n = 0; n < ownSessions; n += 1) {
          const session = `own-${writer}-${n}`;
          expect(written.filter((step) => step.session === session).map((step) => step.n)).toEqual(
            Array.from({ length: steps }, (_, number) => number),
          );
        }
      }
      const findings: unknown[] = [];
      for await (const finding of verifyStore(store)) findings.push(finding);
      expect(findings).toEqual([]);
      expect((await store.check?.())?.problems).toEqual([]);
      await store.close();
      // Its exit code says that there is damage.
      await promisify(execFile)(process.execPath, [cm, "--store", server.url, "verify"]);
    });
  },
  () => ({ durable: true, settings: ["max_connections=200"] }),
);
