import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/server/global-setup.ts"],
    // Tests of faults wait most of the time.
    maxConcurrency: 20,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
