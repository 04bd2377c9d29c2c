import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { summary } from "../summary.mjs";
import { expected } from "./expected.mjs";

function of(files) {
  const folder = mkdtempSync(join(tmpdir(), "logs-"));
  try {
    for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
    return summary(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the logs of four days are summed up", () => {
  assert.deepEqual(summary(join(import.meta.dirname, "../logs")), expected);
});

test("a pump without alarms is listed", () => {
  assert.deepEqual(of({ "a.log": ["00:00:01 P-12 flow 1.0 of 2.0, valve 3 %"] }), [
    { pump: "P-12", alarms: {}, maintenances: 0 },
  ]);
});

test("maintenance goes on over midnight", () => {
  const files = {
    "b.log": ["00:01:00 P-12 alarm E-417 raised at 00:01", "00:02:00 P-12 maintenance end"],
    "a.log": ["23:00:00 P-12 maintenance begin"],
    "c.log": ["00:01:00 P-12 alarm E-417 raised at 00:01"],
  };
  assert.deepEqual(of(files), [{ pump: "P-12", alarms: { "E-417": 1 }, maintenances: 1 }]);
});

test("maintenance of one pump hides no alarm of another", () => {
  const lines = ["01:00:00 P-13 maintenance begin", "01:01:00 P-12 alarm E-204 raised at 01:01"];
  assert.deepEqual(of({ "a.log": lines }), [
    { pump: "P-12", alarms: { "E-204": 1 }, maintenances: 0 },
    { pump: "P-13", alarms: {}, maintenances: 1 },
  ]);
});
