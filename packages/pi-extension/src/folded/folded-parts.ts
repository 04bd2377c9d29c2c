import type { ContextView, PartForm } from "@cm/context-log";
import { savedChars } from "@cm/render";
import type { Fold } from "@cm/session";

/** A text that a fold took, in whole or in part. */
export interface FoldedPart {
  readonly key: string;
  readonly form: PartForm["form"];
  /** Its call; undefined for what was said. */
  readonly object: string | undefined;
  readonly isArgs: boolean;
  /** UTF-16 units that are left out of each request by it. */
  readonly chars: number;
}

/** The heaviest first. */
export function foldedParts(view: ContextView, { forms }: Pick<Fold, "forms">): readonly FoldedPart[] {
  return Object.entries(forms)
    .map(([key, form]): FoldedPart => {
      const isArgs = key.includes(".");
      return { key, form: form.form, object: objectOf(view, key), isArgs, chars: savedChars(view, key, form) };
    })
    .sort((a, b) => b.chars - a.chars);
}

/** The call whose arguments or output a part of the log is. */
export function objectOf(view: ContextView, key: string): string | undefined {
  const [at = "", call] = key.split(".");
  const entry = view.log[Number(at)];
  if (entry?.kind === "assistant") return call === undefined ? undefined : entry.calls[Number(call)]?.object;
  return entry?.kind === "result" || entry?.kind === "recalled" ? entry.object : undefined;
}
