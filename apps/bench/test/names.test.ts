// @module-tag process
// Verifies: the benches are asked for by the names that docs/benchmarks.md uses.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(folder, "dist/bench.js"), ...args], { encoding: "utf8" });
}

it("names its groups where it is asked for another, and measures nothing", () => {
  const { status, stdout, stderr } = bench("request", "nosuch");

  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(
    "Known groups: store, lineage, server, governance, request, replay, journal, exchange, sources, sessions, flat, pi, postgres, xtdb.\n",
  );
});

it("has the groups that the page of benchmarks asks for, and its own page has all", () => {
  const known = /Known groups: (.*)\./.exec(bench("nosuch").stderr)?.[1]?.split(", ") ?? [];
  const page = readFileSync(join(folder, "../../docs/benchmarks.md"), "utf8");
  const asked = [...page.matchAll(/npm run bench -- ([a-z]+)/g)].map(([, group]) => group ?? "");
  const own = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, group]) => group,
  );

  expect(asked.filter((group) => !known.includes(group))).toEqual([]);
  expect(own).toEqual(known);
});

it("refuses a session that is not there", () => {
  const { status, stderr } = bench("replay", "--session", "/nowhere/session.jsonl");

  expect(status).toBe(2);
  expect(stderr).toBe("There is no file /nowhere/session.jsonl.\n");
});
