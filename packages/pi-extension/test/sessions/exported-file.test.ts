// @module-tag pi
// @module-tag long
// Verifies: a real Pi opens what was exported from a store, goes on with it where the session stood, and branches it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportSession, importSession } from "@cm/exchange";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import {
  type CapturedRequest,
  extensionPath,
  openRpc,
  type PiHome,
  probePath,
  runPrint,
} from "@cm/scripted-models/real-pi";
import { listSessions, returnToStep } from "@cm/session";
import { expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
import { all, inStore } from "../support/stored.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const file = "exported.jsonl";

/** @returns the path of the file that was written */
async function written(home: PiHome, store: ObjectStore, session: string): Promise<string> {
  const { lines } = await exportSession(store, session, { as: "pi", cwd: home.workDir });
  await home.write({ [file]: (await all(lines)).join("") });
  return join(home.workDir, file);
}

const texts = (request: CapturedRequest | undefined): readonly string[] =>
  (request?.sent.messages ?? []).flatMap(({ blocks }) =>
    blocks.flatMap((block) => ("text" in block && typeof block.text === "string" ? [block.text.trim()] : [])),
  );

const answers = [
  { text: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
  { text: "It says alpha." },
  { text: "You are welcome." },
];

for (const version of versionsNow) {
  withPi(version, "A session out of a store", ({ open }) => {
    it("that was imported goes on, at its leaf and on another branch, and is imported again", async () => {
      const script = [...answers, { text: "Gone on." }, { text: "Another way." }];
      const { run, play } = await open(script, { extensions: [] });
      const { home } = run;
      await runPrint(run, "Read a.txt.", "Thanks.");
      const [recorded = ""] = await home.sessionFiles();
      const store = createMemoryStore();
      const { session, steps } = await importSession(store, recorded);
      const path = await written(home, store, session);

      const end = await runPrint({ ...run, args: ["--session", path] }, "Go on.");
      const rest = texts(play.requests.at(-1));
      await returnToStep(store, { session, n: 1 });
      const back = await written(home, store, session);
      const branched = await runPrint({ ...run, args: ["--session", back] }, "Another.");

      expect(end).toMatchObject({ code: 0, stdout: "Gone on.\n" });
      expect(rest).toEqual(
        expect.arrayContaining(["Read a.txt.", "alpha", "It says alpha.", "Thanks.", "You are welcome.", "Go on."]),
      );
      expect(branched).toMatchObject({ code: 0, stdout: "Another way.\n" });
      expect(texts(play.requests.at(-1))).toEqual(expect.arrayContaining(["It says alpha.", "Another."]));
      expect(texts(play.requests.at(-1)).join("\n")).not.toMatch(/Thanks|welcome/);
      const again = await importSession(createMemoryStore(), back);
      expect(again).toMatchObject({ session, outcome: "imported", steps: steps + 1 });
    });

    it("that the extension recorded goes on in a Pi without it, and forks there", async () => {
      const { run, play } = await open([...answers, { text: "Gone on." }, { text: "Forked." }]);
      const { home } = run;
      await runPrint(run, "Read a.txt.", "Thanks.");
      const path = await inStore(home, async (store) => {
        const [session] = await all(listSessions(store));
        return written(home, store, session?.session ?? "");
      });

      const rpc = await openRpc({ ...run, extensions: [], args: ["--session", path] });
      await rpc.prompt("Go on.");
      const went = texts(play.requests.at(-1));
      const { messages } = (await rpc.ask("get_fork_messages")) as { messages: { entryId: string; text: string }[] };
      await rpc.ask("fork", { entryId: messages.find(({ text }) => text === "Thanks.")?.entryId ?? "" });
      await rpc.prompt("No thanks.");
      await rpc.close();

      expect(went).toEqual(
        expect.arrayContaining(["Read a.txt.", "alpha", "It says alpha.", "Thanks.", "You are welcome.", "Go on."]),
      );
      expect(texts(play.requests.at(-1))).toEqual(expect.arrayContaining(["It says alpha.", "No thanks."]));
      expect(texts(play.requests.at(-1)).join("\n")).not.toMatch(/welcome|Go on/);
    });

    inCampaign("that went back and was forked is one file, in which Pi finds each branch and goes on", async () => {
      const script = ["one", "two", "other two", "forked", "gone on", "on in the fork"].map((text) => ({ text }));
      const { run, play } = await open(script, { extensions: [extensionPath(), probePath] });
      const { home } = run;
      const rpc = await openRpc(run);
      for (const said of ["First.", "Second."]) await rpc.prompt(said);
      const second = (await home.sessionEntries()).find(({ message }) => JSON.stringify(message)?.includes("Second."));
      await rpc.command(`/probe-tree ${String(second?.id)}`);
      await rpc.prompt("Other second.");
      await rpc.ask("fork", { entryId: String(second?.id) });
      await rpc.prompt("In the fork.");
      await rpc.close();
      const path = await inStore(home, async (store) => {
        const began = (await all(listSessions(store))).find(({ forkedFrom }) => forkedFrom === undefined);
        return written(home, store, began?.session ?? "");
      });

      const plain = await openRpc({ ...run, extensions: [probePath], args: ["--session", path] });
      await plain.prompt("Go on.");
      const end = texts(play.requests.at(-1));
      await plain.command(`/probe-tree ${labelled(path)}`);
      await plain.prompt("Go on in the fork.");
      const fork = texts(play.requests.at(-1));
      await plain.close();

      expect(end).toEqual(["First.", "one", "Other second.", "other two", "Go on."]);
      expect(fork).toEqual(["First.", "one", "In the fork.", "forked", "Go on in the fork."]);
      const again = await importSession(createMemoryStore(), path);
      expect(again).toMatchObject({ outcome: "imported", steps: 6 });
    });
  });
}

/** The entry of an exported file that has a label. */
function labelled(path: string): string {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly targetId?: string });
  return entries.find(({ type }) => type === "label")?.targetId ?? "";
}
