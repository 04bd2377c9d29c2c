import { defineConfig } from "vitest/config";

// Tests start many processes, which takes long where others use the machine, too.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } });
