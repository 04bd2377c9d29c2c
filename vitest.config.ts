import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/longest-first.ts";
import { tags, tests } from "./vitest.shared.ts";

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "xtdb",
      tests(import.meta.dirname, { name: "tools", include: "tools/**/*.test.ts", isolate: false }),
    ],
    reporters: ["default", "./tools/closing-line.ts"],
    sequence: { sequencer: LongestFirst },
    tags,
  },
});
