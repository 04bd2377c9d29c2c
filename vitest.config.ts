import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/longest-first.ts";
import { tags, tests } from "./vitest.shared.ts";

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "xtdb",
      tests(import.meta.dirname, { name: "tools", include: "tools/**/*.test.ts" }),
    ],
    reporters: ["default", "./tools/closing-line.ts"],
    // Tests that start programs wait for them much of the time: one more than there are cores fills the gaps.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    tags,
  },
});
