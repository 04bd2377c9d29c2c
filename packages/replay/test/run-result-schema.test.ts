// Verifies: a result is what its schema says, also after a way through JSON.
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { generatedContent } from "../src/generate/index.ts";
import { namedPolicies, type PolicyName, replayResult, runResultSchema } from "../src/index.ts";

const recording = { ...generatedContent({ seed: 3, calls: 80 }), format: "pi", id: "made", skippedLines: 0 } as const;

async function resultOf(name: PolicyName) {
  const pricing = { name: "0.1/1.25", prices: { read: 0.1, write: 1.25 } };
  const place = { store: createMemoryStore(), kind: "memory" } as const;
  return replayResult(recording, { policy: { name, policy: namedPolicies[name] }, pricing, place });
}

describe("the schema of results", () => {
  it.each(["plain", "ssot", "lean"] as const)(
    "takes the result under %s, and leaves nothing of it out",
    async (name) => {
      const written: unknown = JSON.parse(JSON.stringify(await resultOf(name)));

      const read = runResultSchema.parse(written);

      expect(read).toEqual(written);
      expect(read.calls).toHaveLength(80);
      expect(read).toMatchObject({
        recording: "made",
        file: "made",
        family: "pi",
        store: "memory",
        pricing: "0.1/1.25",
      });
    },
  );

  it("refuses a result with a figure below nothing", async () => {
    const result = await resultOf("plain");

    expect(runResultSchema.safeParse({ ...result, totals: { ...result.totals, billed: -1 } }).success).toBe(false);
  });
});
