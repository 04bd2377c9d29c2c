// @module-tag process
// Verifies: SSOT 5.4, 5.5, 5.6, 5.11
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runSuite, type SourceFactory, sourceSuite } from "@cm/testkit";
import { expect, it } from "vitest";
import { createContainerSource } from "../src/index.ts";
import { openStandIn } from "./support/stand-in.ts";

const open =
  (shell: string): SourceFactory =>
  async () => {
    const engine = openStandIn({ shell });
    const root = realpathSync(mkdtempSync(join(tmpdir(), "cm-container-")));
    const source = createContainerSource({ containers: [{ id: "box", command: engine.command, roots: [root] }] });
    const binding = (name: string) => source.bind({ container: "box", path: join(root, name) });
    return {
      source,
      world: {
        async put(name, bytes) {
          mkdirSync(dirname(join(root, name)), { recursive: true });
          writeFileSync(join(root, name), bytes);
          return binding(name);
        },
        remove: async (name) => rmSync(join(root, name)),
        binding: async (name) => binding(name),
        elsewhere: async () => ({ type: "filesystem", filesystemId: "another-box", path: "/a.txt" }),
        unreach: async () => engine.stop(),
        reach: async () => engine.start(),
      },
      async close() {
        await source.close();
        engine.close();
        rmSync(root, { recursive: true });
      },
    };
  };

const installed = ["/usr/bin/dash", "/usr/bin/bash", "/bin/sh"].filter((shell) => existsSync(shell));
/** Each program once: `/bin/sh` is one of the others on most machines. */
const shells = new Map(installed.toReversed().map((shell) => [realpathSync(shell), shell])).values();

/** The strictest first; the others in a campaign. */
const now = [...shells].slice(0, process.env.CM_CAMPAIGN === "1" ? undefined : 1);

it.each(now)("keeps the contract of sources in a container whose shell is %s", async (shell) => {
  const { ok, results } = await runSuite(sourceSuite, open(shell));

  expect(results.filter(({ outcome }) => outcome !== "held")).toEqual([]);
  expect(ok).toBe(true);
});
