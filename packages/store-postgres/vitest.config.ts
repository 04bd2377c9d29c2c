import { tests } from "../../vitest.shared.ts";

// Files that run in one process share a Postgres.
export default tests(import.meta.dirname, { isolate: false });
