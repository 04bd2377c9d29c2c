import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*", "apps/*", "xtdb", { test: { name: "tools", include: ["tools/**/*.test.ts"] } }],
    reporters: ["default", "./tools/closing-line.ts"],
  },
});
