import type { ContextView, PartForm, PromptDecision } from "@cm/context-log";
import type { Fold } from "./fold.ts";
import type { Part } from "./parts.ts";

/** Why a part is folded, in words for the report. */
const clockReasons = {
  text: "said",
  brief: "output was read",
  read: "file was long not used",
  recalled: "file was long not used",
  change: "edit was made",
  "change-args": "edit is long ago",
} as const satisfies Record<Part["class"], string>;

/** What a step records of why: each reason with the parts or objects that it holds for. */
export class Reasons {
  readonly #reasons = new Map<string, string[]>();

  add(reason: string, what: string): void {
    this.#reasons.set(reason, [...(this.#reasons.get(reason) ?? []), what]);
  }

  addFold(view: ContextView, { parts, shortened, reason }: Fold, folded: ReadonlyMap<string, PartForm>): void {
    for (const { key, object, class: kind } of parts) {
      if (!folded.has(key)) continue;
      const dismissed = object !== undefined && view.sets.dismissed.has(object);
      const asked = reason === "person" ? "a person asked" : clockReasons[kind];
      this.add(dismissed ? "agent let go" : asked, key);
    }
    for (const { key } of shortened) this.add("replaced text is gone", key);
  }

  get decision(): Pick<PromptDecision, "reasons"> {
    return this.#reasons.size === 0 ? {} : { reasons: Object.fromEntries(this.#reasons) };
  }
}
