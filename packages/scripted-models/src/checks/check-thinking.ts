import type { CapturedRequest, GivenAnswer } from "../wire/captured-request.ts";
import type { SentMessage } from "../wire/sent-prompt.ts";
import { signatureOf } from "../wire/signature.ts";

/** The model's answers come back in their order, each with the thinking that it had, to the byte. */
export function checkThinking(request: CapturedRequest): string[] {
  const { format, sent, given } = request;
  const said: string[] = [];
  let newest = -1;
  for (const [at, message] of sent.messages.entries()) {
    if (message.role !== "assistant") continue;
    const answer = answerOf(message, given);
    if (answer !== undefined) {
      if (answer.index < newest) said.push(`Message ${at} stands after an answer that was given later.`);
      newest = Math.max(newest, answer.index);
    }
    const thoughts = message.blocks.filter((block) => block.kind === "thinking");
    for (const { text, signature } of thoughts) {
      const signed = given.findLast((one) => one.thinking === text)?.signature ?? signatureOf(text);
      if (format !== "openai-completions" && signature !== signed) {
        said.push(`Message ${at} has thinking whose signature does not fit.`);
      }
    }
    // For answers of another format, the form of the passed thinking is Pi's choice.
    if (answer?.format === format && answer.thinking !== undefined) {
      if (thoughts[0]?.text !== answer.thinking) said.push(`Message ${at} lacks the thinking that the model gave.`);
      else if (message.blocks[0]?.kind !== "thinking") said.push(`Message ${at} does not begin with its thinking.`);
    }
  }
  return said;
}

/** The answer that a message was, where that is certain: by the ids of its calls, else by its text. */
function answerOf({ blocks }: SentMessage, given: readonly GivenAnswer[]): GivenAnswer | undefined {
  const ids = blocks.flatMap((block) => (block.kind === "call" ? [block.id] : []));
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("");
  const same = given.filter((answer) => {
    if (!answer.whole) return false;
    if (ids.length !== answer.calls.length) return false;
    return ids.length > 0 ? answer.calls.every((call, at) => call.id === ids[at]) : answer.text === text;
  });
  return same.length === 1 ? same[0] : undefined;
}
