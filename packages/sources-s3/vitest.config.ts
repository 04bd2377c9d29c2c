import { tests } from "../../vitest.shared.ts";

// Tests of faults wait most of the time: many do so at once.
export default tests(import.meta.dirname, {
  globalSetup: ["test/server/global-setup.ts"],
  maxConcurrency: 20,
  isolate: false,
});
