import { defined } from "@cm/object-model";
import type { AssembleOptions } from "../harness.ts";
import type { ContextView } from "../view.ts";
import type { AssembledRequest } from "./assembled-request.ts";

/** What a request may weigh, and what it is to weigh where that can be had. */
export type RequestBounds = Pick<ContextView, "window" | "foldToBytes" | "dialogueToBytes">;

export function boundsOf(window: ContextView["window"] | undefined, options: AssembleOptions): RequestBounds {
  const { foldToBytes, dialogueToBytes } = options;
  return {
    ...defined({ window, foldToBytes, dialogueToBytes }),
  };
}

/** Whether a request was made within the same bounds. */
export function isWithin(
  made: Pick<AssembledRequest, "bytesMax" | "foldToBytes" | "dialogueToBytes">,
  { window, foldToBytes, dialogueToBytes }: RequestBounds,
): boolean {
  return (
    made.bytesMax === window?.bytesMax && made.foldToBytes === foldToBytes && made.dialogueToBytes === dialogueToBytes
  );
}
