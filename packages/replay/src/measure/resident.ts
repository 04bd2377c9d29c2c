import type { PromptMessage } from "@cm/context-log";
import type { Resident } from "../results/run-result.ts";
import type { ViewChange } from "./in-view.ts";

type Part = keyof Resident;

/** The composition of the newest request. The work is proportional to the changes. */
export class ResidentSums {
  readonly #sums: Record<Part, number> = { dialogue: 0, args: 0, output: 0, references: 0, pool: 0, active: 0 };

  request({ entered, left }: ViewChange): Resident {
    for (const message of entered) for (const [part, chars] of split(message)) this.#sums[part] += chars;
    for (const message of left) for (const [part, chars] of split(message)) this.#sums[part] -= chars;
    return { ...this.#sums };
  }
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
      return [[isReference(message) ? "references" : "output", text]];
    case "user":
      if (message.text.startsWith("ACTIVE_CONTENT ")) return [["active", text]];
      return [[message.id.startsWith("pool~") ? "pool" : "dialogue", text]];
  }
}

/** A line of ours stands first: that of a context log, or that of `ssot`. */
const isReference = ({ text }: PromptMessage): boolean => /^(?:\[cm: |toolcall_ref )/.test(text);
