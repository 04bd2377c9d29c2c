import type { ContextView, Prices } from "@cm/context-log";
import { type ContextLogOptions, savedChars } from "@cm/render";
import type { SessionProtection } from "../protect/session-protection.ts";
import type { SteeredPolicy } from "./steered-policy.ts";

/** What a fold that a person asks for takes from the next request. */
export interface PlannedFold {
  readonly parts: readonly { /** Arguments of a call, not its output. */ readonly isArgs: boolean }[];
  /** What each request will be shorter by, in UTF-16 units. */
  readonly chars: number;
}

/** What a person may say about how a session's text is folded. */
export class Steering {
  readonly protection: SessionProtection;
  readonly #policy: SteeredPolicy;
  readonly #prices: () => Prices;

  constructor(policy: SteeredPolicy, protection: SessionProtection, prices: () => Prices) {
    this.#policy = policy;
    this.protection = protection;
    this.#prices = prices;
  }

  /** Those of the policy that decides. */
  get options(): ContextLogOptions {
    return this.#policy.options;
  }

  /** Folds with the next request all that may be folded. Undefined: there is nothing, and nothing will be done. */
  fold(view: ContextView): PlannedFold | undefined {
    const { forms = {} } = this.#policy.folded(view, this.#prices());
    const parts = Object.entries(forms).filter(([, { form }]) => form === "reference");
    const chars = parts.reduce((sum, [part, form]) => sum + savedChars(view, part, form) - savedNow(view, part), 0);
    if (parts.length === 0 || chars <= 0) return undefined;
    this.#policy.foldFrom(view.step);
    return { parts: parts.map(([part]) => ({ isArgs: part.includes(".") })), chars };
  }
}

/** What the part is shorter by already. */
function savedNow(view: ContextView, part: string): number {
  const form = view.forms.get(part);
  return form === undefined ? 0 : savedChars(view, part, form);
}
