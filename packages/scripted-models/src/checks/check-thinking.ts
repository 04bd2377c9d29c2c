import type { CapturedRequest, GivenAnswer } from "../wire/captured-request.ts";
import { listOf, objectOf } from "../wire/json.ts";
import type { SentMessage } from "../wire/sent-prompt.ts";
import { signatureOf } from "../wire/signature.ts";

/**
 * The model's answers come back in their order, each with the thinking that it had, to the byte. Only where arguments of
 * a turn that is over were shortened it may be gone, and then with the ids that OpenAI's responses bind to it.
 */
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
      const mayLack = thoughts.length === 0 && isOver(sent.messages, at) && isShortened(message, answer);
      if (mayLack) continue;
      if (thoughts[0]?.text !== answer.thinking) said.push(`Message ${at} lacks the thinking that the model gave.`);
      else if (message.blocks[0]?.kind !== "thinking") said.push(`Message ${at} does not begin with its thinking.`);
    }
  }
  return [...said, ...(format === "openai-responses" ? checkBoundIds(request) : [])];
}

/** A provider refuses the id of a call or a text without the reasoning that came with it. */
function checkBoundIds({ body, given }: CapturedRequest): string[] {
  const ids = listOf(body.input, "input").flatMap((item) => {
    const { id } = objectOf(item, "an item");
    return typeof id === "string" ? [id] : [];
  });
  const thoughts = given.flatMap(({ index, thinking, format }) =>
    thinking === undefined || format !== "openai-responses" ? [] : [index],
  );
  return thoughts
    .filter((index) => !ids.includes(`rs_${index}`))
    .flatMap((index) => ids.filter((id) => id === `msg_${index}` || id.startsWith(`fc_${index}_`)))
    .map((id) => `The item ${id} stands without the reasoning that it is bound to.`);
}

/** Something was said behind it. */
const isOver = (messages: readonly SentMessage[], at: number): boolean =>
  messages.slice(at + 1).some(({ role, blocks }) => role === "user" && blocks.some(({ kind }) => kind === "text"));

/** One of its calls has other arguments than the model gave. */
const isShortened = ({ blocks }: SentMessage, { calls }: GivenAnswer): boolean =>
  calls.some((call) => {
    const sent = blocks.find((block) => block.kind === "call" && block.id === call.id);
    return sent?.kind === "call" && sent.args !== JSON.stringify(call.args);
  });

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
