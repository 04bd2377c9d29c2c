import type { PiMessage } from "../pi/pi-types.ts";
import { figureLimits } from "./limits.ts";

/** What a message counts for, in characters. */
export interface MessageSize {
  /** In a request, as JSON. */
  readonly sent: number;
  /** As Pi estimates it when it looks for the place to compact at. */
  readonly estimated: number;
  /** In a request for a summary. */
  readonly summarized: number;
  /** Blocks that it has in a request. */
  readonly blocks: number;
}

/** What stands around a block in a request: about what the formats of providers need. */
const aroundBlock = 50;
const aroundCall = 85;
const aroundResult = 95;

const known = new WeakMap<PiMessage, MessageSize>();

/** Messages do not change, so that each is measured once. */
export function sizeOf(message: PiMessage): MessageSize {
  const before = known.get(message);
  if (before !== undefined) return before;
  const size = measured(message);
  known.set(message, size);
  return size;
}

const sizeOfText = (text: string): number => inJson(text) + aroundBlock;

function measured(message: PiMessage): MessageSize {
  switch (message.role) {
    case "user":
    case "custom":
      return sizeOfBlocks(message.content);
    case "assistant":
      return isBrokenOff(message) ? nothing : sum((message.content ?? []).map(sizeOfPart));
    case "toolResult":
      return sizeOfResult(message);
    case "bashExecution":
      return message.excludeFromContext === true ? nothing : ofText(`${message.command}\n${message.output}`);
    case "branchSummary":
    case "compactionSummary":
      return ofText(message.summary);
    default:
      return nothing;
  }
}

const nothing: MessageSize = { sent: 0, estimated: 0, summarized: 0, blocks: 0 };

/** Pi sends no answer that broke off. */
const isBrokenOff = ({ stopReason }: Extract<PiMessage, { role: "assistant" }>): boolean =>
  stopReason === "error" || stopReason === "aborted";

type Part = Extract<PiMessage, { role: "assistant" }>["content"][number];

function sizeOfPart(part: Part): MessageSize {
  switch (part.type) {
    case "text":
      return ofText(part.text);
    case "thinking": {
      const { thinking, thinkingSignature = "" } = part;
      const sent = inJson(thinking) + thinkingSignature.length + aroundBlock;
      return { sent, estimated: thinking.length, summarized: thinking.length, blocks: 1 };
    }
    case "toolCall": {
      const chars = part.name.length + JSON.stringify(part.arguments ?? {}).length;
      return { sent: chars + aroundCall, estimated: chars, summarized: chars, blocks: 1 };
    }
    default:
      return nothing;
  }
}

function sizeOfResult({ content }: Extract<PiMessage, { role: "toolResult" }>): MessageSize {
  const { sent, estimated, summarized } = sizeOfBlocks(content);
  return {
    sent: sent + aroundResult - aroundBlock,
    estimated,
    summarized: Math.min(summarized, figureLimits.summarizedOutputChars),
    blocks: 1,
  };
}

type Blocks = Extract<PiMessage, { role: "user" }>["content"];

function sizeOfBlocks(content: Blocks | null): MessageSize {
  if (typeof content === "string") return ofText(content);
  return sum((content ?? []).map((block) => (block.type === "text" ? ofText(block.text) : image)));
}

const image: MessageSize = {
  ...nothing,
  sent: figureLimits.imageChars,
  estimated: figureLimits.imageChars,
  blocks: 1,
};

const ofText = (text: string): MessageSize => ({
  sent: sizeOfText(text),
  estimated: text.length,
  summarized: text.length,
  blocks: 1,
});

const inJson = (text: string): number => JSON.stringify(text).length;

const sum = (sizes: readonly MessageSize[]): MessageSize =>
  sizes.reduce(
    (all, { sent, estimated, summarized, blocks }) => ({
      sent: all.sent + sent,
      estimated: all.estimated + estimated,
      summarized: all.summarized + summarized,
      blocks: all.blocks + blocks,
    }),
    nothing,
  );
