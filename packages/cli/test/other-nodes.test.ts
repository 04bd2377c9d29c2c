// @module-tag process
// Verifies: the command works on the oldest and the newest Node, and Node says nothing in between.
import { expect, it } from "vitest";
import { withNodes } from "../../../tools/nodes/with-nodes.ts";
import { runCm } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";

withNodes("the built command", ({ version, node }) => {
  const sample = sampleFolder();
  const env = { CM_STORE: sample.store };

  it.each([
    ["sessions", "--json"],
    ["show", "alpha", "--json"],
    ["verify", "--json"],
  ])("answers to %s as on this Node, and says nothing else", (...args) => {
    const there = runCm(args, { node, env });

    expect(there).toEqual(runCm(args, { env }));
    expect(there.stderr).toBe("");
    expect(there.stdout).not.toBe("");
  });

  it("erases and compacts what this Node wrote, which this Node then verifies", () => {
    const erased = runCm(["erase", "f2", "--session", "alpha", "--reason", "over", "--yes"], { node, env });
    const compacted = runCm(["compact"], { node, env });

    expect([erased.status, compacted.status, compacted.stderr]).toEqual([0, 0, ""]);
    // One sentence of ours, and none of Node's.
    expect(erased.stderr).toMatch(/^Copies and backups of the store, .*\n$/);
    expect(runCm(["show", "alpha", "f2"], { env }).stdout).not.toContain("after");
    expect(runCm(["verify"], { env })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("as it was written"),
    });
  });

  it("finds its own Node new enough and the write lock free", () => {
    const { stdout, stderr } = runCm(["doctor"], { node, env });

    expect(stderr).toBe("");
    expect(stdout).toMatch(new RegExp(`ok +node: Node ${version.replaceAll(".", "\\.")}`));
    expect(stdout).toMatch(/ok +lock: free/);
  });
});
