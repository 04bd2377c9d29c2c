import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { admitBundle } from "@cm/governance";
import { expect, it } from "vitest";
import { readPolicy } from "../../src/governance/read-policy.ts";
import { folderWith, removed } from "../support/scripted.ts";

const session = { sessionId: "s1", tenantId: "t", userId: "u", preset: "p" };

it("makes a bundle of each session from a file, which is read again, and names what is wrong in it", () => {
  const folder = folderWith({
    "policy.jsonc":
      '{ "policyBundleVersion": "1", "seconds": 60, "capabilities": [{ "name": "File.Read" }], /* few */ "featureFlags": { "beta": true }, "task": { "maxSteps": 7 } }',
    "wrong.json": '{ "policyBundleVersion": "1", "seconds": 60, "capabilities": [{ "nam": "File.Read" }] }',
  });
  const path = join(folder, "policy.jsonc");

  const policy = readPolicy(path, () => 1_000);
  const first = admitBundle(policy.bundleFor(session), { sessionId: "s1", now: 1_000 });
  const flags = policy.flagsFor?.(session);
  const late = admitBundle(policy.bundleFor(session), { sessionId: "s1", now: 61_000 });
  writeFileSync(path, '{ "policyBundleVersion": "2", "seconds": 60, "capabilities": [] }');
  const second = admitBundle(policy.bundleFor(session), { sessionId: "s1", now: 1_000 });

  expect(policy.taskDefaults).toEqual({ maxSteps: 7 });
  expect(flags).toEqual({ beta: true });
  expect(policy.flagsFor?.(session)).toEqual({});
  expect(first).toMatchObject({ outcome: "admitted", bundle: { userId: "u", capabilities: [{ name: "File.Read" }] } });
  expect(late).toMatchObject({ outcome: "refused", reason: "expired" });
  expect(second).toMatchObject({ outcome: "admitted", bundle: { policyBundleVersion: "2", capabilities: [] } });
  expect(() => readPolicy(join(folder, "wrong.json"))).toThrow(/capabilities/);
  expect(() => readPolicy(join(folder, "none.json"))).toThrow(/--policy/);
  removed(folder);
});
