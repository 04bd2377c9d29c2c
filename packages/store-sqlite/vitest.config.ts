import { tests } from "../../vitest.shared.ts";

export default tests(import.meta.dirname, { isolate: false, replacesModules: true });
