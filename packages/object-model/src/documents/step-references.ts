import type { DocumentOf } from "./document.ts";
import type { StepMessage } from "./messages.ts";

type Step = DocumentOf<"step">;

/** The file versions that a step brought into sight, in the order in which it did (SSOT 3.8). */
export function observedBy({
  resumed,
  observed_before = [],
  observed = [],
}: Pick<Step, "resumed" | "observed_before" | "observed">): NonNullable<Step["observed"]> {
  return [...(resumed?.observed ?? []), ...observed_before, ...observed];
}

/** The objects of the tool calls that messages name: results, and the calls of answers. */
export function toolcallsIn(messages: readonly StepMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === "tool") return [message.object];
    return message.role === "assistant" ? (message.calls ?? []).flatMap(({ object }) => object ?? []) : [];
  });
}

/** What entered the session's index with a step. */
export function indexedBy({ changes_before, changes }: Pick<Step, "changes_before" | "changes">): readonly string[] {
  return [...(changes_before?.index?.added ?? []), ...(changes.index?.added ?? [])];
}
