// @module-tag pi
// Verifies: a real Pi opens a session that this package wrote, goes on with it, and branches it; and we with its files.
import {
  canRunPi,
  createPiHome,
  openRpc,
  type PiVersion,
  preparePi,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { SessionManager } from "../src/index.ts";
import { optionsIn } from "./support/places.ts";

const versions: readonly PiVersion[] = process.env.CM_CAMPAIGN === "1" ? ["0.87.1", "1.5.2"] : ["0.87.1"];
const there = new Map<PiVersion, boolean>();
for (const version of versions) there.set(version, await canRunPi(version));

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const assistant = (text: string) => ({
  ...{ role: "assistant", content: [{ type: "text", text }], api: "anthropic-messages", provider: "anthropic" },
  ...{ model: "claude", usage: { ...usage, cost }, stopReason: "stop", timestamp: 2 },
});

for (const version of versions) {
  requirement(`Pi ${version}`, () => there.get(version) === true)(`a session of ours in Pi ${version}`, () => {
    it("is opened on its leaf, gone on with, and branched", async () => {
      const model = await startScriptedModel();
      const play = model.play([{ text: "answer of Pi" }, { text: "answer on the branch" }]);
      const home = await createPiHome({ play, files: { "a.txt": "alpha\n" } });
      const options = optionsIn(home.folder, { dialect: "pi" });
      try {
        const session = SessionManager.create(home.workDir, home.sessionDir, options);
        const first = session.appendMessage(user("first question"));
        session.appendMessage(assistant("way not taken"));
        session.branchWithSummary(first, "what was tried");
        session.appendMessage(assistant("way taken"));
        const second = session.appendMessage(user("second question"));
        session.appendMessage(assistant("second answer"));
        await session.setSessionName("ours");
        await session.close();
        const path = session.getSessionFile() as string;
        const pi = await preparePi(version);

        const rpc = await openRpc({ pi, home, format: "anthropic-messages", args: ["--session", path] });
        const { messages } = await rpc.ask("get_messages");
        expect(JSON.stringify(messages)).not.toContain("way not taken");
        await rpc.prompt("third question");
        await rpc.ask("fork", { entryId: second });
        const { sessionFile } = await rpc.ask("get_state");
        await rpc.prompt("another second question");
        expect((await rpc.close()).code).toBe(0);

        const sent = play.requests.map((request) => JSON.stringify(request.body));
        expect(sent[0]).toContain("what was tried");
        for (const said of ["first question", "way taken", "second answer", "third question"]) {
          expect(sent[0]).toContain(said);
        }
        expect(sent[1]).toContain("way taken");
        expect(sent[1]).not.toContain("second answer");
        const again = await SessionManager.open(path, undefined, options);
        expect(again.getSessionName()).toBe("ours");
        expect(JSON.stringify(again.buildSessionContext().messages.at(-1))).toContain("answer of Pi");
        expect(again.getEntries().slice(0, session.getEntries().length)).toEqual(session.getEntries());
        const branched = await SessionManager.open(String(sessionFile), undefined, options);
        expect(JSON.stringify(branched.buildSessionContext().messages.at(-1))).toContain("answer on the branch");
        expect(branched.getEntry(first)).toEqual(session.getEntry(first));
      } finally {
        await home.remove();
        await model.close();
      }
    });
  });
}
