import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // With CM_XTDB_URL all runs against the node there, and none has to be prepared.
    globalSetup: process.env.CM_XTDB_URL === undefined ? ["../../xtdb/launch/vitest-setup.ts"] : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
