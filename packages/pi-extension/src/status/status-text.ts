import { counted, visibleClause } from "@cm/terminal-text";
import type { Figures } from "../figures/figures.ts";
import { figureLimits } from "../figures/limits.ts";
import type { Health } from "../health.ts";
import { dollarsText, tokenCountText } from "../text/figures.ts";
import { statusLimits } from "./status-limits.ts";

/**
 * The one line that people always see: `cm on`, and once something was saved
 * `cm saved about $0.420 (42% of input) · 12.4k tokens instead of about 42.8k`: what all requests cost less than in a
 * Pi without us; the context as Pi's footer counts it, beside what it would be there. What is wrong, if anything,
 * stands first, since a narrow terminal cuts the end. No content.
 */
export function statusText(figures: Figures | undefined, health: Health): string {
  if (health.state === "off") return "cm off";
  return `cm ${[...healthTexts(health), ...figureTexts(figures)].join(" · ") || "on"}`;
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
    `saved about ${saved > 0 ? `${dollarsText(saved)} (${part})` : part}`,
    `${isReported ? "" : "about "}${context} tokens${isLess ? ` instead of about ${plain}` : ""}`,
  ];
}

function healthTexts({ state, reason, unwritten }: Health): readonly string[] {
  const why = reason === undefined ? "" : `: ${visibleClause(reason, statusLimits.reasonCharsMax)}`;
  const waiting = unwritten > 0 ? [`${counted(unwritten, "step")} not written`] : [];
  switch (state) {
    case "offline":
      return [...waiting, `database offline${why}`];
    case "damaged":
      return [...waiting, `database damaged${why}`];
    // To open takes a moment, and no request waits for it: what takes longer counts as offline.
    default:
      return waiting;
  }
}
