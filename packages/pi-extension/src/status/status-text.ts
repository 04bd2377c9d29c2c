import type { Health } from "../managed/health.ts";
import type { Figures } from "../managed/managed.ts";
import { counted, percentText, tokensText } from "../text/figures.ts";
import { visibleClause } from "../text/visible-line.ts";
import { statusLimits } from "./status-limits.ts";

/**
 * The one line that people always see: `cm 12.4k tokens · saved 71% · billed 58%`. The tokens of the newest request, at
 * 4 characters each; how much less that is than plain Pi would send; what all requests were billed, as a part of what
 * plain Pi would have been. Then what is wrong, if anything. No content.
 */
export function statusText(figures: Figures | undefined, health: Health): string {
  if (health.state === "off") return "cm off";
  return `cm ${[...figureTexts(figures), ...healthTexts(health)].join(" · ") || "on"}`;
}

function figureTexts(figures: Figures | undefined): readonly string[] {
  if (figures === undefined) return [];
  const { contextChars, plainChars, billed, plainBilled } = figures;
  const saved = percentText(plainChars - contextChars, plainChars);
  const paid = percentText(billed, plainBilled);
  return [
    `${tokensText(contextChars)} tokens`,
    ...(saved === undefined ? [] : [`saved ${saved}`]),
    ...(paid === undefined ? [] : [`billed ${paid}`]),
  ];
}

function healthTexts({ state, reason, unwritten }: Health): readonly string[] {
  const why = reason === undefined ? "" : `: ${visibleClause(reason, statusLimits.reasonCharsMax)}`;
  const waiting = unwritten > 0 ? [`${counted(unwritten, "step")} not written`] : [];
  switch (state) {
    case "away":
      return [...waiting, `database away${why}`];
    case "damaged":
      return [...waiting, `database damaged${why}`];
    // To open takes a moment, and nobody waits for it: what takes longer counts as away.
    default:
      return waiting;
  }
}
