import { isDeepStrictEqual } from "node:util";
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import type { AnswerItem, BranchItem, ResultItem } from "../branch/branch-item.ts";
import { callsOf } from "../branch/calls-of.ts";
import { copied } from "../branch/copied.ts";
import { blocksOf } from "../branch/said-text.ts";
import { piError } from "../errors.ts";
import type { PlacedMessage } from "../others/apply-extension-changes.ts";
import type { ExtensionChanges } from "../others/extension-changes.ts";
import { textOfVersion } from "../others/text-of-version.ts";
import { versionContent } from "../others/version-content.ts";
import type { PiAssistant, PiMessage, PiToolResult } from "../pi/pi-types.ts";
import { foldedArgs } from "./folded-args.ts";
import type { Pictures } from "./pictures.ts";
import type { Secrets } from "./secrets.ts";

export interface OutgoingContext {
  readonly items: readonly BranchItem[];
  readonly pictures: Pictures;
  readonly secrets: Secrets;
  /** What others left of messages, in the place of what is recorded. */
  readonly versions?: Versions;
}

export interface Versions {
  readonly changed: ExtensionChanges["changed"];
  /** Whether the prompt was made of what they left of it. */
  isTold(item: BranchItem): boolean;
  /** The item that stands at a place of the session's log. */
  itemAt(place: number): number | undefined;
}

/**
 * A prompt as Pi takes it. Answers are Pi's own messages, since they carry signatures; only arguments that were folded
 * differ. What others made of a message is sent as they left it. Everything is a copy: a handler behind us may
 * change what it gets.
 * @throws CmError `pi/prompt-mismatch` where prompt and branch do not belong together
 */
export function outgoing({ messages }: RenderedPrompt, context: OutgoingContext): readonly PlacedMessage[] {
  const walk = new OutgoingWalk(context);
  return messages.map((message) => ({ message: walk.copyOf(message), item: walk.item }));
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

  /** Behind the newest answer, or the newest of its results, on the branch. */
  get place(): number {
    return this.#places.next;
  }

  /**
   * Which item of the branch the newest message is; undefined for one of ours, and for a prompt whose place is not
   * known.
   */
  get item(): number | undefined {
    return this.#places.newest;
  }

  /** @throws CmError `pi/prompt-mismatch` */
  copyOf(message: PromptMessage): PiMessage {
    this.#places.newest = undefined;
    switch (message.role) {
      case "assistant":
        return answerMessage(message, this.#places.nextAnswer(message, this.#context.versions), this.#context);
      case "tool":
        return resultMessage(message, this.#places, this.#context);
      case "user":
        return userMessage(message, this.#places, this.#context);
    }
  }
}

/** The memory of messages between requests: they are the same objects as long as nothing changes. */
const answered = new WeakMap<PromptMessage, AnswerItem>();
const contents = new WeakMap<PromptMessage, PiAssistant["content"] | "as written">();
const restored = new WeakMap<PromptMessage, string>();

function isAnswer({ calls = [] }: PromptMessage, { message }: AnswerItem): boolean {
  const own = callsOf(message);
  return own.length === calls.length && own.every(({ id }, place) => id === calls[place]?.callId);
}

/** Walks the branch beside the prompt. */
class Places {
  readonly #items: readonly BranchItem[];
  #next: number;
  /** The item that was found last. */
  newest: number | undefined;

  constructor(items: readonly BranchItem[], next: number) {
    this.#items = items;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Where the log says which item it is, what lies between left the prompt. */
  nextAnswer(message: PromptMessage, versions: Pick<Versions, "itemAt"> | undefined): AnswerItem {
    this.#next = Math.max(this.#next, versions?.itemAt(Number.parseInt(message.id, 10)) ?? 0);
    while (this.#next < this.#items.length) {
      const item = this.#items[this.#next];
      this.#next += 1;
      if (item?.kind !== "answer") continue;
      if (answered.get(message) !== item && !isAnswer(message, item)) break;
      answered.set(message, item);
      this.newest = this.#next - 1;
      return item;
    }
    throw mismatch();
  }

  /** Results stand behind their answer in the same order, in the prompt as in the branch: calls may share an id. */
  resultOf(callId: string): ResultItem | undefined {
    for (let place = this.#next; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item?.kind === "answer") break;
      if (item?.kind !== "result" || item.message.toolCallId !== callId) continue;
      this.newest = place;
      this.#next = place + 1;
      return item;
    }
    return undefined;
  }

  /** Of a call without a result on the branch: what shares its id and has one comes before it. */
  toolOf(callId: string): string {
    for (let place = this.#next - 1; place >= 0; place -= 1) {
      const item = this.#items[place];
      if (item?.kind !== "answer") continue;
      return callsOf(item.message).findLast(({ id }) => id === callId)?.name ?? "unknown";
    }
    return "unknown";
  }

  /** What was said after the newest answer or result: the item that is known to be meant, or all of it. */
  *said(known: number | undefined) {
    const from = known === undefined || known < this.#next ? this.#next : known;
    for (let place = from; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item?.kind === "answer") return;
      if (item?.kind !== "said") continue;
      if (known === place) this.newest = place;
      yield item;
      if (known === place) return;
    }
  }
}

const mismatch = () =>
  piError("pi/prompt-mismatch", "The session's prompt is not of this branch; the session is opened again.");

function answerMessage(message: PromptMessage, item: AnswerItem, { versions }: OutgoingContext): PiAssistant {
  const version = versions?.changed.get(item.entry);
  if (version?.role === "assistant") {
    // With other calls than the prompt's, or unknown to the session, it is theirs as a whole.
    const isOfPrompt = versions?.isTold(item) === true && isAnswer(message, { ...item, message: version });
    const content = isOfPrompt ? contentOf(message, { ...item, message: version }) : "as written";
    return copied(content === "as written" ? version : { ...version, content });
  }
  const known = contents.get(message);
  const content = known ?? contentOf(message, item);
  if (known === undefined) contents.set(message, content);
  return copied(content === "as written" ? item.message : unbound({ ...item.message, content }, item.message));
}

/**
 * OpenAI's responses bind the ids of an answer's texts and calls to its thinking, and refuse them without it. Pi leaves
 * such ids out of what another model said, so that an answer that lost its thinking passes for another model's.
 */
function unbound(sent: PiAssistant, { content, api, model }: PiAssistant): PiAssistant {
  const thinks = (blocks: PiAssistant["content"]): boolean => blocks.some(({ type }) => type === "thinking");
  const isUnbound = api.endsWith("-responses") && thinks(content) && !thinks(sent.content);
  return isUnbound ? { ...sent, model: `${model} without thinking` } : sent;
}

/** Thinking binds a message: the prompt leaves it out together with the middle of the text or of arguments, or not at all. */
function contentOf(
  { text, thinking = [], calls = [] }: PromptMessage,
  { message }: AnswerItem,
): PiAssistant["content"] | "as written" {
  const args = calls.map((call) => call.args);
  const isThoughtless = thinking.length === 0 && message.content.some(({ type }) => type === "thinking");
  const original = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const isCut = text.length < original.length && !text.includes("[redacted:");
  const kept = message.content.flatMap((block): PiAssistant["content"] => {
    if (block.type === "thinking") return isThoughtless ? [] : [block];
    if (block.type === "text") return isCut ? [] : [block];
    const sent = args.shift();
    return [sent === undefined ? block : { ...block, arguments: foldedArgs(sent, block.arguments) }];
  });
  const content = isCut ? [{ type: "text" as const, text }, ...kept] : kept;
  return isDeepStrictEqual(content, message.content) ? "as written" : content;
}

function resultMessage(message: PromptMessage, places: Places, context: OutgoingContext): PiToolResult {
  const { callId = "", failed = false, attachments = [] } = message;
  const item = places.resultOf(callId);
  const version = item && context.versions?.changed.get(item.entry);
  if (item !== undefined && version?.role === "toolResult") {
    const text = context.secrets.restore(message.text, version, () => textOfVersion(version));
    const isTold = context.versions?.isTold(item) === true;
    const content = versionContent(version.content, { text, hasPictures: attachments.length > 0, isTold });
    return copied({ ...version, content });
  }
  const text = item === undefined ? message.text : restoredText(message, item, context);
  const content = [{ type: "text" as const, text }, ...context.pictures.of(attachments)];
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
  const known = restored.get(message) ?? secrets.restore(message.text, item.message, () => textOf(item));
  restored.set(message, known);
  return known;
}

const textOf = ({ message }: ResultItem): string => blocksOf(message.content).text;

function userMessage(
  message: PromptMessage,
  places: Places,
  { pictures, secrets, versions }: OutgoingContext,
): PiMessage {
  const known = versions?.itemAt(Number.parseInt(message.id, 10));
  let { text } = message;
  for (const item of places.said(known)) {
    const version = versions?.changed.get(item.entry) ?? item.message;
    text = secrets.restore(text, version, () => textOfVersion(version));
    if (known === undefined || version === item.message) continue;
    const hasPictures = (message.attachments ?? []).length > 0;
    const rendered = { text, hasPictures, isTold: versions?.isTold(item) === true };
    const content = "content" in version ? version.content : textOfVersion(version);
    return { role: "user", content: copied(versionContent(content, rendered)), timestamp: 0 };
  }
  return { role: "user", content: [{ type: "text", text }, ...pictures.of(message.attachments)], timestamp: 0 };
}
