import { postgresSetup, sharedXtdbSetup, tests } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, {
  globalSetup: [...sharedXtdbSetup, ...postgresSetup],
  isolate: false,
  replacesModules: true,
});
