import type { DocumentOf, StepMessage } from "@cm/object-model";
import { erasedMark } from "../objects/view-objects.ts";

/** A step's message as it stands in the log, and whether something of it was erased. */
export interface ShownMessage {
  readonly message: StepMessage;
  readonly isErased: boolean;
}

/** The messages of a step: a mark stands where a text was erased. */
export function shownMessages({
  messages,
  replaces,
}: Pick<DocumentOf<"step">, "messages" | "replaces">): ShownMessages {
  if (replaces === undefined) return messages.map(whole);
  const gone = new Set(replaces.texts.map(({ message }) => message));
  const texts = new Set(replaces.texts.flatMap(({ message, part }) => (part === "text" ? [message] : [])));
  return messages.map((message, place) => ({
    message: texts.has(place) && message.role !== "tool" ? { ...message, text: erasedMark } : message,
    isErased: gone.has(place),
  }));
}

export type ShownMessages = readonly ShownMessage[];

/** A message of which nothing was erased. */
export const whole = (message: StepMessage): ShownMessage => ({ message, isErased: false });

/** The messages of a step up to its request, and those after. */
export function splitAtAnswer(messages: ShownMessages): {
  readonly before: ShownMessages;
  readonly after: ShownMessages;
} {
  const answer = messages.findIndex(({ message }) => message.role === "assistant");
  return answer < 0
    ? { before: messages, after: [] }
    : { before: messages.slice(0, answer), after: messages.slice(answer) };
}
