// @module-tag process
// @module-tag long
import { createMemoryStore } from "@cm/object-model";
import { readRecording } from "@cm/recordings";
import { namedPolicies, replayResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { exampleFiles } from "../../src/example/example-files.ts";
import { recordExample } from "../../src/example/record-example.ts";
import { workingFolder } from "./working-folder.ts";

const folder = workingFolder();

describe("the context log in the built-in example", () => {
  it("shows each edit the text that it replaces, and costs two thirds of the plain log at most", async () => {
    const { file } = await recordExample({ into: folder.at("example.jsonl") });
    const recording = await readRecording(file);
    const files = await exampleFiles(recording);

    const { totals } = await replayResult(recording, {
      policy: { name: "log", policy: namedPolicies.log },
      pricing: { name: "0.1/1.25", prices: { read: 0.1, write: 1.25 } },
      place: { store: createMemoryStore(), kind: "memory" },
      files,
    }).finally(() => files.close());

    expect(totals.needed).toBeGreaterThan(20);
    expect(totals.neededMet).toBe(totals.needed);
    expect(totals.billedShare).toBeLessThan(2 / 3);
  });
});
