import { isNodeSupported, supportedNodes } from "@cm/store-place";
import { broken, type CheckLine, doubtful, fine } from "./check-line.ts";

/** The oldest that this package is tested with. */
const oldestPi = [0, 87] as const;

export function checkNode(version: string = process.versions.node): CheckLine {
  if (isNodeSupported(version)) return fine("node", version);
  return broken("node", `${version}; ${supportedNodes}, is needed`, "Install Node 24 and start Pi with it.");
}

export function checkPi(version: string | undefined): CheckLine {
  if (version === undefined)
    return doubtful("pi", "its version is not known", "Run pi --version; 0.87 or later works.");
  if (isAtLeast(version, oldestPi)) return fine("pi", version);
  return doubtful("pi", `${version}, older than any that was tested`, "Update Pi to 0.87.1 or later.");
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [isMajor = 0, isMinor = 0] = version.split(".").map(Number);
  return isMajor > major || (isMajor === major && isMinor >= minor);
}
