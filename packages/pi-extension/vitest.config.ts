import { defineConfig } from "vitest/config";

// Most tests run a real Pi: on a busy machine that takes longer than Vitest waits by itself.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } });
