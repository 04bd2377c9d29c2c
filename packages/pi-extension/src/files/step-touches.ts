import type { FileTouch } from "@cm/context-log";
import type { AnswerItem, ResultItem } from "../branch/branch-item.ts";
import { callsOf, takeCall } from "../branch/calls-of.ts";
import { blocksOf } from "../branch/said-text.ts";
import type { SessionFilesystem } from "./filesystem.ts";
import { limitTouchesPerStep } from "./limit-touches-per-step.ts";
import { type NestedFiles, touchesOfRecord } from "./nested-files.ts";
import type { RecordedTouch } from "./recorded-touch.ts";

/** The files that the calls of one answer touched, one list for each result, in their order. */
export type StepTouches = (
  answer: AnswerItem,
  results: readonly ResultItem[],
) => Promise<readonly (readonly FileTouch[])[]>;

/** Of each call what its arguments and output name, and what calls inside it touched. */
export function stepTouches(files: SessionFilesystem, nested: NestedFiles): StepTouches {
  return async (answer, results) => {
    const calls = callsOf(answer.message);
    const touched = results.map(({ message }): readonly RecordedTouch[] => {
      const { toolCallId, toolName: tool, isError: failed, details } = message;
      const { text } = blocksOf(message.content);
      const args = takeCall(calls, toolCallId)?.arguments ?? {};
      const own = files.touched({ tool, args, text, failed, details });
      const inside = nested.take(toolCallId);
      // What was heard while they ran says more, and is not heard twice.
      const isHeard = inside.length > 0 || !("nestedCalls" in message);
      return [...own, ...(isHeard ? inside : touchesOfRecord(message.nestedCalls, files.touched))];
    });
    return limitTouchesPerStep(await Promise.all(touched.map((touches) => files.bind(touches))));
  };
}
