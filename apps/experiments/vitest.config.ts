import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["../../xtdb/launch/vitest-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
