import type { DocumentOf, StepMessage } from "@cm/object-model";
import { shownMessages, splitAtAnswer } from "./shown-messages.ts";

/** A place in the conversation, by its turns. A turn begins with the user's first message since the model's last. */
export interface TurnPlace {
  /** -1 before the first. */
  readonly turn: number;
  /** Whether the model has answered in it. */
  readonly answered: boolean;
}

/** Behind a message: it is in the turn that this names. */
export function turnAfter({ turn, answered }: TurnPlace, { role }: Pick<StepMessage, "role">): TurnPlace {
  if (role === "assistant") return { turn, answered: true };
  return role === "user" && answered ? { turn: turn + 1, answered: false } : { turn, answered };
}

/** The turn before a step's own messages, by what it says itself: an erased step before it may have begun one. */
export function turnBefore(step: DocumentOf<"step">): number {
  const { before } = splitAtAnswer(shownMessages(step));
  return step.turn - (before.some(({ message }) => message.role === "user") ? 1 : 0);
}
