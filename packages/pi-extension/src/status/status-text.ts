import type { Figures } from "../figures/figures.ts";
import { figureLimits } from "../figures/limits.ts";
import type { Health } from "../managed/health.ts";
import { counted, dollarsText, tokenCountText } from "../text/figures.ts";
import { visibleClause } from "../text/visible-line.ts";
import { statusLimits } from "./status-limits.ts";

/**
 * The one line that people always see: `cm on`, and once something was saved
 * `cm 12.4k tokens instead of about 42.8k · saved about $0.42 (42% of input)`: the context as Pi's footer counts it, beside
 * what it would be in a Pi without us; what all requests cost less than there. Then what is wrong, if anything. No content.
 */
export function statusText(figures: Figures | undefined, health: Health): string {
  if (health.state === "off") return "cm off";
  return `cm ${[...figureTexts(figures), ...healthTexts(health)].join(" · ") || "on"}`;
}

function figureTexts(figures: Figures | undefined): readonly string[] {
  if (figures === undefined) return [];
  const { contextTokens, plainTokens, isReported, input, dollars } = figures;
  const savedPercent = Math.round(100 * (1 - input.ours / input.plain));
  if (!(savedPercent >= figureLimits.savedPercentMin)) return [];
  const [context, plain] = [tokenCountText(contextTokens), tokenCountText(plainTokens)];
  const isLess = plainTokens > contextTokens && plain !== context;
  const saved = dollars === undefined ? 0 : dollars.plain - dollars.ours;
  const part = `${savedPercent}% of input`;
  return [
    `${isReported ? "" : "about "}${context} tokens${isLess ? ` instead of about ${plain}` : ""}`,
    `saved about ${saved > 0 ? `${dollarsText(saved)} (${part})` : part}`,
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
