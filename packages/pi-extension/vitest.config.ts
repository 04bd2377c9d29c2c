import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["../../xtdb/launch/vitest-setup.ts"],
    // Most tests run a real Pi: on a busy machine that takes longer than Vitest waits by itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
