// @module-tag pi
// Verifies: SSOT 2.7, 4.4, T10: a tool that returns 50 MB is kept by its ends, and no request carries more of it than it can.
import { join } from "node:path";
import { extensionPath, runPrint } from "@cm/scripted-models/real-pi";
import { sessionAt } from "@cm/session";
import { expect, it } from "vitest";
import { inStore, storedSessions } from "../support/stored.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const extensions = [extensionPath(), join(import.meta.dirname, "support/long-output-extension.ts")];

for (const version of versionsNow)
  withPi(version, "a tool that returns 50 MB", (stages) => {
    it("has both ends in the next request and in the store, and the session goes on", async () => {
      const { run, play } = await stages.open([
        { calls: [{ name: "dump", args: {} }] },
        { calls: [{ name: "read", args: { path: "a.txt" } }] },
        { text: "done" },
      ]);
      const ended = await runPrint({ ...run, extensions }, "Dump it.");

      const [session] = await storedSessions(run.home);
      const head = session?.head ?? { session: "", n: 0 };
      const { objects } = await inStore(run.home, (store) => sessionAt(store, head));
      const dumped = objects.find(({ tool }) => tool === "dump");
      const sizes = play.requests.map(({ body }) => JSON.stringify(body).length);
      const second = JSON.stringify(play.requests[1]?.body);

      expect(ended).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
      expect(session).toMatchObject({ status: "paused", steps: 3 });
      expect(dumped?.text).toMatch(
        /^first row\n.*\[Context Manager: this output had 50,000,018 characters; .*\nlast row$/s,
      );
      expect(second).toMatch(/first row.*characters left out here; cm_context show t1.*last row/);
      expect(Math.max(...sizes)).toBeLessThan(1_000_000);
    });
  });
