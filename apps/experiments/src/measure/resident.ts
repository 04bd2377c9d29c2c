import type { PromptMessage, RenderedPrompt } from "@cm/object-model";
import type { Resident } from "../replay/run-result.ts";

type Part = keyof Resident;

const parts = new WeakMap<PromptMessage, readonly (readonly [Part, number])[]>();

/** What a request consists of. Work follows what is new: a message is looked at once. */
export function residentOf(prompt: RenderedPrompt): Resident {
  const sums = { dialogue: 0, args: 0, output: 0, references: 0, pool: 0, active: 0 };
  for (const message of prompt.messages) {
    for (const [part, chars] of partsOf(message)) sums[part] += chars;
  }
  return sums;
}

function partsOf(message: PromptMessage): readonly (readonly [Part, number])[] {
  const known = parts.get(message);
  if (known !== undefined) return known;
  const found = split(message);
  parts.set(message, found);
  return found;
}

function split(message: PromptMessage): readonly (readonly [Part, number])[] {
  const text = message.text.length;
  switch (message.role) {
    case "assistant":
      return [
        ["dialogue", text],
        ["args", message.chars - text],
      ];
    case "tool":
      return [[message.text.startsWith("toolcall_ref ") ? "references" : "output", text]];
    case "user":
      if (message.text.startsWith("ACTIVE_CONTENT ")) return [["active", text]];
      return [[message.id.startsWith("pool~") ? "pool" : "dialogue", text]];
  }
}
