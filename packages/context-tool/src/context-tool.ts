/** A name that no other tool is likely to have. */
export const contextToolName = "cm_context";

export const contextActions = ["show", "release", "pin", "unpin", "list"] as const;
export type ContextAction = (typeof contextActions)[number];

/**
 * The one tool that an agent gets, for any harness: plain JSON Schema. Everything that an agent must know of notices
 * stands in its description, so that rules and tool come and go together. Each character is paid by every session.
 */
export const contextTool = {
  name: contextToolName,
  description:
    "Lines `[cm: ...]` are notices; never write any. What they left out is kept: show it, do not repeat calls (files: as now). release: done with it. pin: keep in view. list: all known.",
  parameters: {
    type: "object",
    properties: {
      action: { type: "string", enum: contextActions, description: "show by default" },
      id: { type: "string", description: "t7, f3, paths or call ids; t7.input: arguments" },
      lines: { type: "string", description: "20-80: only these" },
      match: { type: "string", description: "only around this text" },
    },
  },
} as const;

/** What a call of the tool is answered with. */
export interface ToolAnswer {
  readonly text: string;
  /** Nothing of what was asked for could be done. */
  readonly failed: boolean;
  /** Ids of the objects whose whole text the answer has: `IncomingResult.shows`. */
  readonly shows: readonly string[];
}
