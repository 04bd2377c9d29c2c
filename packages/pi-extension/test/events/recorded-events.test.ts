// @module-tag long
// Verifies: F17. What real Pis told an extension is told to ours again, from recordings: every request
// that it makes is legal, no handler throws, and what it stored is sound.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Recording } from "./recording.ts";
import { replay } from "./replay.ts";

const folder = join(import.meta.dirname, "fixtures");
/** Those of the other Pi in a campaign. */
const names = readdirSync(folder).filter((name) => process.env.CM_CAMPAIGN === "1" || name.startsWith("0.87.1"));

describe("what a real Pi told, told again", () => {
  it.each(names.sort())("gives legal requests and a sound store: %s", async (name) => {
    const recording: Recording = JSON.parse(readFileSync(join(folder, name), "utf8"));

    const { requests, faults, findings, steps } = await replay(recording);

    expect({ faults, findings }).toEqual({ faults: [], findings: [] });
    expect(requests).toBe(recording.events.filter(({ type }) => type === "context").length);
    expect(steps).toBeGreaterThanOrEqual(requests / 2);
  });
});
