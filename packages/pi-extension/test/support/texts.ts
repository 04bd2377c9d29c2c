import type { CapturedRequest } from "@cm/scripted-models/real-pi";

/** All that a request shows the model, in order. */
export function shownText(request: CapturedRequest | undefined): string {
  if (request === undefined) throw new Error("There was no such request.");
  return request.sent.messages
    .flatMap(({ blocks }) => blocks.map((block) => ("text" in block ? block.text : "args" in block ? block.args : "")))
    .join("\n");
}

/** What a request shows the model of its calls' outputs, in order. */
export function resultsIn(request: CapturedRequest | undefined): readonly string[] {
  if (request === undefined) throw new Error("There was no such request.");
  const blocks = request.sent.messages.flatMap((message) => message.blocks);
  return blocks.flatMap((block) => (block.kind === "result" ? [block.text] : []));
}

/** A file's text, long enough to be told from what stands around it. */
export const textOf = (name: string, lines = 40): string =>
  Array.from({ length: lines }, (_, line) => `${name} line ${line}: value ${line * 7} of ${name}`).join("\n");
