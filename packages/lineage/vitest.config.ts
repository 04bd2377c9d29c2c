import { postgresSetup, sharedXtdbSetup, tests } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, {
  globalSetup: [...sharedXtdbSetup, ...postgresSetup, "test/support/s3-server.ts"],
  isolate: false,
});
