import { isNodeError, type NodeErrorCode } from "./node-error.ts";
import { type PrepareOptions, prepare } from "./prepare.ts";

/**
 * Requirements that a machine may lack without a fault. Anything else, such as a door that does not compile, is a
 * failure.
 */
const excusable: ReadonlySet<NodeErrorCode> = new Set(["node/java-missing", "node/maven-missing", "node/download"]);

/**
 * Prepares for tests. Where Java, Maven or Maven Central is missing it says so in one loud line and answers false: the
 * tests that need a node will name themselves as skipped. With CM_REQUIRE_ALL=1, as in CI, that is an error as well.
 */
export async function prepareOrSay(say: (line: string) => void, options: PrepareOptions = {}): Promise<boolean> {
  try {
    await prepare({ progress: (line) => say(`XTDB: ${line}`), ...options });
    return true;
  } catch (error) {
    if (!isNodeError(error) || !excusable.has(error.code) || process.env.CM_REQUIRE_ALL === "1") throw error;
    say(`WARNING: TESTS ON A REAL XTDB ARE SKIPPED. ${error.message}`);
    return false;
  }
}
