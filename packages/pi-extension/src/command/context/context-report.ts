import { shownParts } from "@cm/render";
import type { Managed } from "../../managed/managed.ts";
import { tokensOf } from "../../text/token-count.ts";
import { foldRows } from "./fold-rows.ts";
import { heaviestRows } from "./heaviest-rows.ts";
import { charsByKind, kindRows } from "./kind-rows.ts";

/** What fills the next request: by kind, by object, and what stands folded. Empty where that is not known now. */
export async function contextReport(managed: Managed, cwd: string): Promise<readonly string[]> {
  if (managed.steering === undefined) return [];
  try {
    const { view, folds } = await managed.inside();
    if (view.log.length === 0) return [];
    const parts = shownParts(view);
    const kinds = charsByKind(parts, view.ledger.headChars);
    const all = kinds.reduce((sum, [, chars]) => sum + chars, 0);
    const heaviest = heaviestRows(view, parts, cwd);
    return [
      "",
      `What fills the context, about ${tokensOf(all)}:`,
      ...kindRows(kinds),
      ...(heaviest.length === 0
        ? []
        : ["", "The largest of it, in tokens (/cm why ID says why it stands):", ...heaviest]),
      "",
      ...titledRows("Folded: ", foldRows(view, { parts, folds })),
    ];
  } catch {
    return ["", "What fills the context cannot be told now."];
  }
}

const titledRows = (title: string, [first = "", ...others]: readonly string[]): readonly string[] => [
  `${title}${first}`,
  ...others,
];
