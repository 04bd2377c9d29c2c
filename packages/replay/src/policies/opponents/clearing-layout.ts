import { type PromptMessage, type Renderer, resultPart } from "@cm/context-log";
import { plainLayout } from "@cm/render";
import { placeOf } from "../part-sizes.ts";
import { promptWith } from "../prompt-start.ts";

/** The text in place of a cleared output, without any part of it. */
const placeholder = "[Old tool output was cleared]";

/** The agent alone, with one fixed line in place of outputs that were cleared. Arguments and dialogue stay. */
export const clearingLayout: Renderer = {
  contract: "renderer/1",
  layout: "clearing/1",
  residency: "rendered",
  render(view, decision) {
    const isCleared = (at: number): boolean => {
      const part = resultPart(at);
      return (decision.forms?.[part] ?? view.forms.get(part))?.form === "reference";
    };
    const messages = plainLayout.render(view, {}).messages.map((message) => {
      const at = placeOf(message);
      return message.role === "tool" && at !== undefined && isCleared(at) ? cleared(message, at) : message;
    });
    return promptWith(view, "clearing/1", messages);
  },
};

function cleared({ attachments: _gone, ...message }: PromptMessage, at: number): PromptMessage {
  return { ...message, id: `${at}~cleared`, text: placeholder, chars: placeholder.length };
}
