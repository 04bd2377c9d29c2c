import type { FileTouch } from "@cm/context-log";

/** A file that a call touched, by the path that its tool meant: absolute and normal, in the agent's terms. */
export type RecordedTouch = Omit<FileTouch, "binding"> & { readonly path: string };

/** A call with its result, as Pi's transcript has them. */
export interface ToolCall {
  readonly tool: string;
  /** As the model gave them: Pi's transcript keeps them so. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The result's text, with Pi's own remarks. */
  readonly text: string;
  readonly failed: boolean;
  /** The result's details; what is in them is checked. */
  readonly details?: unknown;
  /** A call that another tool made: the model did not see its output. */
  readonly isNested?: boolean;
}

/** Where a call's paths count from; both absolute, in the agent's terms. */
export interface CallPlace {
  readonly cwd: string;
  /** What Pi puts in place of `~`. */
  readonly home: string;
}
