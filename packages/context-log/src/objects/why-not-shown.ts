import { limits } from "../limits.ts";
import type { Textless } from "../log-entries.ts";
import type { ViewObject } from "../view.ts";

const reasons: Readonly<Record<Exclude<Textless, "unread">, string>> = {
  deleted: "it was deleted",
  binary: "it is not text",
  too_large: "it is too large",
  unreachable: "it is unreachable",
  erased: "its text was erased",
  missing: "the database has lost it; `cm verify` says what else is damaged",
};

/** What stands in the way of showing an object, as the newest look at it found. */
export interface NotShown {
  readonly object: Pick<ViewObject, "alias" | "kind">;
  readonly textless: Textless | undefined;
  /** Why the source cannot observe it, in the source's words. */
  readonly unreachable: string | undefined;
}

/** One sentence for the agent, without content. */
export function whyNotShown({ object: { alias, kind }, textless, unreachable }: NotShown): string {
  if (textless === "erased" || textless === "missing") return `${alias} cannot be shown: ${reasons[textless]}.`;
  if (kind === "toolcall") return `${alias} cannot be shown: no output of it is known.`;
  const reason = unreachable === undefined ? reasonOf(textless) : unreachableFor(unreachable);
  return `${alias} cannot be shown: ${reason}, and no part of it was ever seen.`;
}

function reasonOf(textless: Textless | undefined): string {
  return textless === undefined || textless === "unread" ? "it was never read" : reasons[textless];
}

function unreachableFor(reason: string): string {
  return `${reasons.unreachable} (${reason.toWellFormed().slice(0, limits.shownReasonCharsMax)})`;
}
