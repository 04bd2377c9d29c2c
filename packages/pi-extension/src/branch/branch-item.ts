import type { PiAssistant, PiMessage, PiToolResult } from "../pi/pi-types.ts";

/** What the model is shown of one entry of Pi's branch. `entry` is the entry's id, unique within the session's file. */
export type BranchItem = SaidItem | AnswerItem | ResultItem;

/** Whatever reaches the model as a user's message: prompts, extensions' messages, `!` commands, summaries. */
export interface SaidItem {
  readonly kind: "said";
  readonly entry: string;
  readonly message: Exclude<PiMessage, PiAssistant | PiToolResult>;
}

export interface AnswerItem {
  readonly kind: "answer";
  readonly entry: string;
  readonly message: PiAssistant;
}

export interface ResultItem {
  readonly kind: "result";
  readonly entry: string;
  readonly message: PiToolResult;
}
