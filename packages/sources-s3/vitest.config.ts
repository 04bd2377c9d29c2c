import { s3Setup, tests } from "../../vitest.shared.ts";

// Tests of faults wait most of the time: many do so at once.
export default tests(import.meta.dirname, {
  globalSetup: s3Setup,
  maxConcurrency: 20,
  isolate: false,
});
