import { isNodeSupported, supportedNodes } from "@cm/store-place";
import { type CheckLine, fail, ok } from "./check-line.ts";

export function checkNode(version: string = process.versions.node): CheckLine {
  if (isNodeSupported(version)) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version}, where ${supportedNodes}, is needed`, `Install Node ${supportedNodes}.`);
}
