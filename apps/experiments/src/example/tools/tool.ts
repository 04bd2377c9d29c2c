/** The folder that the tools work in, and nothing outside it. */
export interface Workspace {
  /** Its real path, links resolved. */
  readonly root: string;
  /** The path in a recording, in place of the real one, which differs on every machine. */
  readonly shownAs: string;
  /** The words before a command that run it. Default: `sh -c`. */
  readonly shell?: readonly string[];
}

/** The result of a tool, as Pi records it. A failed result is an outcome like any other: tools do not throw. */
export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ReadArgs {
  readonly path: string;
  /** First line, counted from 1. */
  readonly offset?: number;
  /** Number of lines. */
  readonly limit?: number;
}

export interface GrepArgs {
  /** A regular expression of JavaScript. */
  readonly pattern: string;
  /** A file or folder. Default: the working folder. */
  readonly path?: string;
  /** Number of matches. */
  readonly limit?: number;
}

export interface EditArgs {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

export interface Replacement {
  /** Stands exactly once in the file. */
  readonly oldText: string;
  readonly newText: string;
}

export interface WriteArgs {
  readonly path: string;
  readonly content: string;
}

export interface BashArgs {
  readonly command: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** One call of a tool: Pi's name for the tool, and Pi's arguments. */
export type ToolCall =
  | { readonly name: "read"; readonly args: ReadArgs }
  | { readonly name: "grep"; readonly args: GrepArgs }
  | { readonly name: "edit"; readonly args: EditArgs }
  | { readonly name: "write"; readonly args: WriteArgs }
  | { readonly name: "bash"; readonly args: BashArgs };

export function done(text: string, details?: Readonly<Record<string, unknown>>): ToolResult {
  return { text, failed: false, ...(details && { details }) };
}

export function failure(text: string): ToolResult {
  return { text, failed: true };
}
