import { postgresSetup, tests } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, { globalSetup: postgresSetup, isolate: false });
