import type {
  FileTouch,
  IncomingAssistant,
  IncomingAttachment,
  IncomingResult,
  IncomingUser,
  Usage,
} from "@cm/context-log";
import { defined, nonEmpty, type Thinking, wholeTokens } from "@cm/object-model";
import type { AnswerItem, ResultItem, SaidItem } from "../branch/branch-item.ts";
import { blocksOf, saidOf } from "../branch/said-text.ts";
import { soundUsage } from "../figures/reported-usage.ts";
import type { PiAssistant, PiImage } from "../pi/pi-types.ts";
import { shownObjects } from "./shown-objects.ts";

export function incomingUser(item: SaidItem): IncomingUser {
  const { text, images } = saidOf(item);
  return { role: "user", text, ...attached(images) };
}

export function incomingResult({ message }: ResultItem, files: readonly FileTouch[]): IncomingResult {
  const { text, images } = blocksOf(message.content);
  const shows = shownObjects(message);
  return {
    ...{ role: "tool", callId: message.toolCallId, text, failed: message.isError },
    ...attached(images),
    ...nonEmpty({ files, shows }),
  };
}

/** A call without a result on its branch: Pi was killed meanwhile, or the call may have run elsewhere, which is no failure. */
export const lostResult = (callId: string, { mayHaveRun }: { readonly mayHaveRun: boolean }): IncomingResult => ({
  ...{ role: "tool", callId, text: null, failed: !mayHaveRun },
});

export function incomingAnswer({ message }: AnswerItem): IncomingAssistant {
  const { content, model, provider, api, stopReason } = message;
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const calls = content.flatMap((block) =>
    block.type === "toolCall" ? [{ callId: block.id, tool: block.name, args: { ...block.arguments } }] : [],
  );
  return { role: "assistant", text, thinking: content.flatMap(thinkingOf), calls, model, provider, api, stopReason };
}

/** A call that carries a signature of its own must stay as it is, like a thought: the session sees it as one. */
function thinkingOf(block: PiAssistant["content"][number]): readonly Thinking[] {
  if (block.type === "toolCall") {
    return block.thoughtSignature === undefined ? [] : [{ text: "", signature: block.thoughtSignature }];
  }
  if (block.type !== "thinking") return [];
  const { thinking: text, thinkingSignature: signature, redacted } = block;
  return [{ text, ...defined({ signature }), ...(redacted === true ? { redacted } : {}) }];
}

/** Undefined where none is told. */
export function usageOf({ message }: AnswerItem): Usage | undefined {
  const { input, output, cacheRead, cacheWrite } = soundUsage(message.usage);
  const usage = {
    ...{ input: wholeTokens(input), output: wholeTokens(output) },
    ...{ cacheRead: wholeTokens(cacheRead), cacheWrite: wholeTokens(cacheWrite) },
  };
  return Object.values(usage).every((tokens) => tokens === 0) ? undefined : usage;
}

function attached(images: readonly PiImage[]): { readonly attachments?: readonly IncomingAttachment[] } {
  if (images.length === 0) return {};
  return { attachments: images.map(({ mimeType: mime, data }) => ({ mime, data: Buffer.from(data, "base64") })) };
}
