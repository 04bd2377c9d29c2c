import type { CmError } from "@cm/object-model";
import { z } from "zod";
import { type LiveErrorCode, liveError } from "../live-error.ts";

/** `The task NAME what.`, in one sentence. */
export const unusableTask = (name: string, what: string): CmError<LiveErrorCode> =>
  liveError("live/usage", `The task ${name} ${what}.`, { task: name });

/** Reads JSON of a known shape. @throws CmError `live/usage`, which says what is wrong in which file */
export function parsedJson<Shape extends z.ZodType>(text: string, shape: Shape, of: JsonOf): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const what =
      issue === undefined
        ? "no JSON"
        : [issue.path.join("."), issue.message].filter((words) => words !== "").join(": ");
    throw unusableTask(of.task, `has a ${of.file} that cannot be used (${what})`);
  }
}

export interface JsonOf {
  readonly task: string;
  readonly file: string;
}
