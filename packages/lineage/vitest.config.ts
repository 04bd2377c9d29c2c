import { postgresSetup, s3Setup, sharedXtdbSetup, tests } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, {
  globalSetup: [...sharedXtdbSetup, ...postgresSetup, ...s3Setup],
  isolate: false,
});
