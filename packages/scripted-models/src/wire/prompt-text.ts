import type { SentPrompt } from "./sent-prompt.ts";

/** All that the model can read of a request's conversation, each block on lines of its own: for looking for text in it. */
export function promptText({ messages }: SentPrompt): string {
  return messages
    .flatMap(({ blocks }) => blocks)
    .map((block) => (block.kind === "call" ? block.args : block.kind === "image" ? "" : block.text))
    .join("\n");
}
