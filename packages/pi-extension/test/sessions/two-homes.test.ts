// @module-tag pi
// @module-tag long
// Verifies: SSOT 3.7, 7.4: two people with homes of their own share a Postgres that was empty: both see both sessions, and one goes on
// with the other's.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withOwnPostgres } from "@cm/private-postgres/vitest";
import { checkStructure, openRpc, type PiHome, runPrint } from "@cm/scripted-models/real-pi";
import { listSessions } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { openPostgresStore } from "@cm/store-postgres";
import { expect, it } from "vitest";
import { all, links } from "../support/stored.ts";
import { shownText } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const cm = join(import.meta.dirname, "../../../cli/dist/cm.js");

/** Each Pi begins with an empty database: what is asserted is all that is in it. */
for (const version of versionsNow)
  withOwnPostgres(`two homes on one Postgres, of Pi ${version}`, (postgres) => {
    /** What `cm sessions` says to someone who sets `CM_STORE` alone. */
    async function seenFrom(home: PiHome): Promise<readonly { session: string; steps: number }[]> {
      const environment = home.environment({ CM_STORE: postgres.url });
      const { stdout } = await promisify(execFile)(process.execPath, [cm, "--json", "sessions"], { env: environment });
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    }

    withPi(version, "of two people", (stages) => {
      it("see each other's sessions, and one goes on with the other's, from where the first one then goes on in a fork", async () => {
        const environment = { CM_STORE: postgres.url };
        const reads = { text: "", calls: [{ name: "read", args: { path: "a.txt" } }] };
        const one = await stages.open([reads, { text: "It says alpha." }, { text: "By the first." }], { environment });
        const two = await stages.open([{ text: "Mine." }, { text: "By the second." }], { environment });
        const first = await openRpc(one.run);
        await first.prompt("Read a.txt.");
        await runPrint(two.run, "Something of my own.");

        const [ofOne, ofTwo] = await Promise.all([links(one.run.home), links(two.run.home)]);
        const [mine, theirs] = [ofTwo.at(-1)?.session, ofOne.at(-1)?.session];
        for (const { run } of [one, two]) {
          const seen = await seenFrom(run.home);
          expect(new Map(seen.map(({ session, steps }) => [session, steps]))).toEqual(
            new Map([
              [theirs, 2],
              [mine, 1],
            ]),
          );
        }

        // The second one gets the file of the first one's conversation, as one sends a file.
        const [conversation = ""] = await one.run.home.sessionFiles();
        const sent = (await readFile(conversation, "utf8")).replaceAll(one.run.home.workDir, two.run.home.workDir);
        await two.run.home.write({ "sent.jsonl": sent });
        const taken = await runPrint(
          { ...two.run, args: ["--session", join(two.run.home.workDir, "sent.jsonl")] },
          "Go on with it.",
        );
        await first.prompt("And I go on, too.");
        const { message } = await first.until("a notice", ({ method }) => method === "notify");
        await first.close();

        expect(taken).toMatchObject({ code: 0, stdout: "By the second.\n" });
        expect(shownText(two.play.requests.at(-1))).toContain("alpha");
        expect(shownText(one.play.requests.at(-1))).not.toContain("Go on with it.");
        expect(message).toContain(`Another program went on with Context Manager's session ${theirs}.`);
        const store = await openPostgresStore({ url: postgres.url, migrate: false });
        const sessions = await all(listSessions(store));
        const fork = sessions.find(({ forkedFrom }) => forkedFrom !== undefined);
        expect(fork).toMatchObject({ forkedFrom: { session: theirs, n: 1 } });
        expect(new Map(sessions.map(({ session, steps }) => [session, steps]))).toEqual(
          new Map([
            [theirs, 3],
            [mine, 1],
            [fork?.session, 3],
          ]),
        );
        expect((await seenFrom(two.run.home)).map(({ session }) => session).sort()).toEqual(
          sessions.map(({ session }) => session).sort(),
        );
        expect([...one.play.requests, ...two.play.requests].flatMap(checkStructure)).toEqual([]);
        expect(await all(verifyStore(store))).toEqual([]);
        await store.close();
      });
    });
  });
