import { isDeepStrictEqual } from "node:util";
import type { PromptMessage, RenderedPrompt } from "@cm/object-model";
import type { AnswerItem, BranchItem, ResultItem } from "../branch/branch-item.ts";
import { piError } from "../errors.ts";
import type { PiAssistant, PiMessage, PiToolResult } from "../pi/pi-types.ts";
import { copied } from "./copied.ts";
import { foldedArgs } from "./folded-args.ts";
import type { Pictures } from "./pictures.ts";
import { blocksOf, saidOf } from "./said-text.ts";
import type { Secrets } from "./secrets.ts";

export interface OutgoingContext {
  readonly items: readonly BranchItem[];
  readonly pictures: Pictures;
  readonly secrets: Secrets;
}

/**
 * A prompt as Pi takes it. Answers are Pi's own messages, since they carry signatures; only arguments that were folded
 * differ. Everything is a copy: whoever handles the event after us may change what he gets.
 * @throws CmError `pi/prompt-mismatch` where prompt and branch do not belong together
 */
export function outgoing({ messages }: RenderedPrompt, context: OutgoingContext): PiMessage[] {
  const walk = new OutgoingWalk(context);
  return messages.map((message) => walk.copyOf(message));
}

/** Makes the messages of a prompt one after the other. */
export class OutgoingWalk {
  readonly #context: OutgoingContext;
  readonly #places: Places;

  /** @param place of the branch where it goes on: the `place` of a walk up to there */
  constructor(context: OutgoingContext, place = 0) {
    this.#context = context;
    this.#places = new Places(context.items, place);
  }

  /** Behind the newest answer on the branch. */
  get place(): number {
    return this.#places.next;
  }

  /** @throws CmError `pi/prompt-mismatch` */
  copyOf(message: PromptMessage): PiMessage {
    switch (message.role) {
      case "assistant":
        return answerMessage(message, this.#places.nextAnswer(message));
      case "tool":
        return resultMessage(message, this.#places, this.#context);
      case "user":
        return userMessage(message, this.#places, this.#context);
    }
  }
}

/** What is known of messages from one request to the next: they are the same objects as long as nothing changes. */
const answered = new WeakMap<PromptMessage, AnswerItem>();
const contents = new WeakMap<PromptMessage, PiAssistant["content"] | "as written">();
const restored = new WeakMap<PromptMessage, string>();

function isAnswer({ calls = [] }: PromptMessage, { message }: AnswerItem): boolean {
  const ids = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  return ids.length === calls.length && ids.every((id, place) => id === calls[place]?.callId);
}

/** Walks the branch beside the prompt. */
class Places {
  readonly #items: readonly BranchItem[];
  #next: number;

  constructor(items: readonly BranchItem[], next: number) {
    this.#items = items;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  nextAnswer(message: PromptMessage): AnswerItem {
    while (this.#next < this.#items.length) {
      const item = this.#items[this.#next];
      this.#next += 1;
      if (item?.kind !== "answer") continue;
      if (answered.get(message) !== item && !isAnswer(message, item)) break;
      answered.set(message, item);
      return item;
    }
    throw mismatch();
  }

  /** The newest answer stands before its results, in the prompt as in the branch. */
  resultOf(callId: string): ResultItem | undefined {
    for (let place = this.#next; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item?.kind === "answer") break;
      if (item?.kind === "result" && item.message.toolCallId === callId) return item;
    }
    return undefined;
  }

  toolOf(callId: string): string {
    const newest = this.#items[this.#next - 1];
    if (newest?.kind !== "answer") return "unknown";
    const call = newest.message.content.find((block) => block.type === "toolCall" && block.id === callId);
    return call?.type === "toolCall" ? call.name : "unknown";
  }

  /** What was said after the newest answer. */
  *said() {
    for (let place = this.#next; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item?.kind === "answer") return;
      if (item?.kind === "said") yield item;
    }
  }
}

const mismatch = () =>
  piError("pi/prompt-mismatch", "The session's prompt is not of this branch; the session is opened again.");

function answerMessage(message: PromptMessage, item: AnswerItem): PiAssistant {
  const known = contents.get(message);
  const content = known ?? contentOf(message, item);
  if (known === undefined) contents.set(message, content);
  return copied(content === "as written" ? item.message : { ...item.message, content });
}

/** Thinking binds a message: the prompt leaves it out together with the middle of the text, or not at all. */
function contentOf(
  { text, thinking = [], calls = [] }: PromptMessage,
  { message }: AnswerItem,
): PiAssistant["content"] | "as written" {
  const args = new Map(calls.map((call) => [call.callId, call.args]));
  const isThoughtless = thinking.length === 0 && message.content.some(({ type }) => type === "thinking");
  const original = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const isCut = text.length < original.length && !text.includes("[redacted:");
  const kept = message.content.flatMap((block): PiAssistant["content"] => {
    if (block.type === "thinking") return isThoughtless ? [] : [block];
    if (block.type === "text") return isCut ? [] : [block];
    const sent = args.get(block.id);
    return [sent === undefined ? block : { ...block, arguments: foldedArgs(sent, block.arguments) }];
  });
  const content = isCut ? [{ type: "text" as const, text }, ...kept] : kept;
  return isDeepStrictEqual(content, message.content) ? "as written" : content;
}

function resultMessage(message: PromptMessage, places: Places, context: OutgoingContext): PiToolResult {
  const { callId = "", failed = false } = message;
  const item = places.resultOf(callId);
  const text = item === undefined ? message.text : restoredText(message, item, context);
  const content = [{ type: "text" as const, text }, ...context.pictures.of(message.attachments)];
  if (item !== undefined) return copied({ ...item.message, content });
  return {
    role: "toolResult",
    toolCallId: callId,
    toolName: places.toolOf(callId),
    content,
    isError: failed,
    timestamp: 0,
  };
}

function restoredText(message: PromptMessage, item: ResultItem, { secrets }: OutgoingContext): string {
  const known = restored.get(message) ?? secrets.restore(message.text, item.entry, () => textOf(item));
  restored.set(message, known);
  return known;
}

const textOf = ({ message }: ResultItem): string => blocksOf(message.content).text;

function userMessage(message: PromptMessage, places: Places, { pictures, secrets }: OutgoingContext): PiMessage {
  let { text } = message;
  for (const item of places.said()) text = secrets.restore(text, item.entry, () => saidOf(item).text);
  const images = pictures.of(message.attachments);
  return { role: "user", content: [{ type: "text", text }, ...images], timestamp: 0 };
}
