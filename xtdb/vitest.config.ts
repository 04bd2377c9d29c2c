import { tests, xtdbSetup } from "../vitest.shared.ts";

// Files that run in one process share a node.
export default tests(import.meta.dirname, { globalSetup: xtdbSetup, isolate: false });
