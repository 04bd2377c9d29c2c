import { join } from "node:path";

/** The folder of this package: sources, pom and checksums. */
export const home = join(import.meta.dirname, "..");
/** Everything that is fetched or made; git ignores it and it may be deleted whenever no node runs. */
export const made = join(home, "lib");
export const doorSources = join(home, "src");
export const configuration = join(home, "config");
export const maintenance = join(home, "maintenance");
export const bench = join(home, "bench");
export const pom = join(home, "pom.xml");
export const checksums = join(home, "lib.sha256");
