// @module-tag pi
// Verifies: SSOT 5.12: on a Node that is too old one line says so, and Pi is as without us.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runPrint } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { versionsNow, withPi } from "../support/with-pi.ts";

const script = [{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "It says alpha." }];
const preload = join(import.meta.dirname, "old-node.cjs");

for (const version of versionsNow)
  withPi(version, "the context manager on an older Node", (stages) => {
    // The newest that Pi does not take either; then one without SQLite, and one whose SQLite lacks something.
    it.each(process.env.CM_CAMPAIGN === "1" ? ["22.18.0", "20.19.0", "23.11.1"] : ["22.18.0"])(
      "leaves Pi as it is without us and says so in one line: %s",
      async (node) => {
        const alone = await stages.open(script, { extensions: [] });
        const { play, run } = await stages.open(script);
        const loaded = join(run.home.folder, "loaded");
        const environment = { NODE_OPTIONS: `--require ${preload}`, OLD_NODE: node, LOADED_FILE: loaded };

        const [plain, old] = await Promise.all([
          runPrint(alone.run, "What does a.txt say?"),
          runPrint({ ...run, environment }, "What does a.txt say?"),
        ]);

        expect(old).toMatchObject({ code: 0, stdout: plain.stdout });
        expect(old.stderr).toBe(
          `Context Manager needs Node 22.19, or 24 or newer, and is off; this is Node ${node}.\n`,
        );
        expect(play.requests.map(({ sent }) => sent.messages)).toEqual(
          alone.play.requests.map(({ sent }) => sent.messages),
        );
        expect(play.requests[0]?.sent.tools).toEqual(alone.play.requests[0]?.sent.tools);
        expect(existsSync(join(run.home.agentDir, "context-manager"))).toBe(false);
        // The bundler's own few lines may come along.
        expect(readFileSync(loaded, "utf8")).toMatch(/^index\.js\n(?:chunk-\w+\.js\n)?$/);
      },
    );
  });
