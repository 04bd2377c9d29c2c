import { posix } from "node:path";
import type { JsonObject } from "@cm/object-model";
import { discoverPaths } from "@cm/sources-fs";
import { fileTouchLimits as limits } from "./file-limits.ts";
import { piPath } from "./pi-path.ts";
import type { CallPlace, ToolCall } from "./recorded-touch.ts";
import { stripToolRemarks } from "./strip-tool-remarks.ts";

/** Bash keeps a long output in such a file, wherever temporary ones are. */
const fullOutput = /\/pi-[a-z]{2,20}-[0-9a-f]{8,64}\.log$/;

/**
 * Paths that a call's output names, absolute, each once. They are candidates: whether one exists is the source's
 * answer. Of Pi's own listings each line is read for what it is; anything else is looked through for what may be a
 * path.
 */
export function foundPaths(call: ToolCall, place: CallPlace): readonly string[] {
  const text = stripToolRemarks(call.text.slice(0, limits.listingCharsMax));
  return [...found(call, text, place)].filter((path) => !fullOutput.test(path)).slice(0, limits.touchesPerCallMax);
}

function found({ tool, args, failed }: ToolCall, text: string, place: CallPlace): ReadonlySet<string> {
  switch (tool) {
    case "read":
    case "edit":
    case "write":
      return new Set();
    case "ls":
    case "find":
    case "grep":
      return failed ? new Set() : listed({ tool, text, folder: piPath(args.path ?? ".", place) });
    case "bash":
    case "powershell":
      // A command that failed has said something before.
      return new Set(discoverPaths({ tool, args: { command: String(args.command) }, text, cwd: place.cwd }));
    default:
      return failed ? new Set() : new Set(discoverPaths({ tool, args: args as JsonObject, text, cwd: place.cwd }));
  }
}

interface Listing {
  readonly tool: "ls" | "find" | "grep";
  readonly text: string;
  /** What was listed or searched: Pi's paths count from there, not from the working folder. */
  readonly folder: string | undefined;
}

function listed({ tool, text, folder }: Listing): ReadonlySet<string> {
  const paths = new Set<string>();
  if (folder === undefined || nothing.test(text)) return paths;
  for (const line of text.split("\n")) {
    if (paths.size >= limits.touchesPerCallMax) break;
    const name = tool === "grep" ? fileOfMatch(line) : line;
    if (name === undefined || name === "" || name.endsWith("/") || name.length > limits.pathCharsMax) continue;
    // A search in one file names it without its folder.
    paths.add(tool === "grep" && name === posix.basename(folder) ? folder : posix.resolve(folder, name));
    if (tool === "grep" && name === posix.basename(folder)) paths.add(posix.resolve(folder, name));
  }
  return paths;
}

const nothing = /^(?:\(empty directory\)|No matches found|No files found matching pattern)$/;
const match = /:\d{1,9}: /;
const beside = /-\d{1,9}- /;

/** `src/a.ts:12: text`, or `src/a.ts-11- text` beside a match: what stands first is the separator. */
function fileOfMatch(line: string): string | undefined {
  const places = [line.search(match), line.search(beside)].filter((place) => place > 0);
  return places.length === 0 ? undefined : line.slice(0, Math.min(...places));
}
