import { blocksOf, saidOf } from "../branch/said-text.ts";
import type { PiArguments, PiAssistant, PiMessage } from "../pi/pi-types.ts";
import { compactionLimits as limits } from "./limits.ts";
import { shortened } from "./shortened.ts";

/**
 * Messages as one text that a model is to sum up and not to go on from: who said what, which calls were made, and of
 * outputs and long arguments both ends. At most `charsMax` UTF-16 units; the middle goes first.
 */
export function conversationText(messages: readonly PiMessage[], charsMax: number): string {
  const parts = messages.flatMap(partsOf).map(([who, text]) => `[${who}]: ${text}`);
  // What is quoted must not end the quotation.
  return shortened(parts.join("\n\n"), charsMax).replaceAll(/<(\/?)(conversation|previous-summary)/gi, "< $1$2");
}

type Part = readonly [who: string, text: string];

function partsOf(message: PiMessage): readonly Part[] {
  switch (message.role) {
    case "assistant":
      return answerParts(message);
    case "toolResult":
      return told("Tool result", shortened(blocksOf(message.content).text, limits.resultCharsMax));
    case "user":
    case "custom":
    case "bashExecution":
    case "branchSummary":
    case "compactionSummary":
      return told("User", saidOf({ kind: "said", entry: "", message }).text);
    default:
      return [];
  }
}

/** Old session files have answers whose content is null. */
function answerParts({ content }: { readonly content: PiAssistant["content"] | null }): readonly Part[] {
  return (content ?? []).flatMap((block): readonly Part[] => {
    if (block.type === "thinking") return told("Assistant thinking", block.thinking);
    if (block.type === "text") return told("Assistant", block.text);
    return block.type === "toolCall" ? told("Assistant calls", callText(block)) : [];
  });
}

function callText({ name, arguments: given }: { readonly name: string; readonly arguments: PiArguments | undefined }) {
  const args = Object.entries(given ?? {}).map(
    ([key, value]) => `${key}=${shortened(JSON.stringify(value) ?? "", limits.argumentCharsMax)}`,
  );
  return `${name}(${args.join(", ")})`;
}

const told = (who: string, text: string): readonly Part[] => (text.trim() === "" ? [] : [[who, text]]);
