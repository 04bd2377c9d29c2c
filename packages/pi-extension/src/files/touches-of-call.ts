import type { FileTouch } from "@cm/context-log";
import { contextToolName } from "@cm/context-tool";
import { defined, type JsonObject } from "@cm/object-model";
import { fileActions, toolAction } from "@cm/tool-calls";
import { fileTouchLimits as limits } from "./file-limits.ts";
import { foundPaths } from "./found-paths.ts";
import { agentPath, piPath } from "./pi-path.ts";
import { spanOfRead } from "./read-span.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";

/**
 * The files that a call touched, each path once (SSOT 5.6). A failed read touches nothing. A failed edit changed
 * nothing, but an edit names its file on purpose: it is discovered. Whether a discovered one exists is the source's
 * answer.
 */
export function touchesOf(call: ToolCall, place: CallPlace): readonly RecordedTouch[] {
  // What our own tool gives, the session has.
  if (call.tool === contextToolName) return [];
  const named = namedTouches(call, place);
  const touches = named ?? foundPaths(call, place).map((path): RecordedTouch => ({ path, as: "discovered" }));
  return onePerPath(call.isNested === true ? touches.map(unseen) : touches).slice(0, limits.touchesPerCallMax);
}

/** What the call's arguments name; undefined where they name nothing, so that the output is asked. */
function namedTouches(call: ToolCall, place: CallPlace): readonly RecordedTouch[] | undefined {
  const { tool, args, failed } = call;
  switch (tool) {
    case "read": {
      const path = piPath(args.path, place);
      if (path === undefined || failed) return [];
      const span = spanOfRead(call);
      return [{ path, as: "read", ...defined({ span }) }];
    }
    case "edit":
    case "write": {
      const path = piPath(args.path, place);
      return path === undefined ? [] : [{ path, as: failed ? "discovered" : "edited" }];
    }
    case "ls":
    case "find":
    case "grep":
      return undefined;
    default:
      return otherTouches(call, place);
  }
}

/**
 * Tools that are not Pi's, by what they do, and commands that do nothing but print or patch files. Which lines of a
 * file were shown is not known: there is no span.
 */
function otherTouches({ tool, args, text, failed }: ToolCall, place: CallPlace): readonly RecordedTouch[] | undefined {
  const status = failed ? "fail" : "ok";
  const actions = fileActions(toolAction(tool, args as JsonObject, { text, status }));
  if (actions.length === 0) return undefined;
  return actions.flatMap((action): readonly RecordedTouch[] => {
    const path = agentPath(action.path, place);
    const as = touchedAs(action.does, failed || action.failed === true);
    return path === undefined || as === undefined ? [] : [{ path, as }];
  });
}

function touchedAs(does: "read" | "edit" | "write", failed: boolean): FileTouch["as"] | undefined {
  if (does === "read") return failed ? undefined : "read";
  return failed ? "discovered" : "edited";
}

/** Of a nested call the model saw what the calling tool made of it. */
const unseen = ({ path, as }: RecordedTouch): RecordedTouch => ({ path, as });

/** The strongest of each path; among equals the first. */
export function onePerPath(touches: readonly RecordedTouch[]): readonly RecordedTouch[] {
  const byPath = new Map<string, RecordedTouch>();
  for (const touch of touches) {
    const earlier = byPath.get(touch.path);
    if (earlier === undefined || earlier.as === "discovered") byPath.set(touch.path, touch);
  }
  return [...byPath.values()];
}
