import { postgresSetup, tests, xtdbSetup } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, { globalSetup: [...xtdbSetup, ...postgresSetup], isolate: false });
