import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["./launch/vitest-setup.ts"],
    // A test may start several Java processes of 2 s each on a machine that others share.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
