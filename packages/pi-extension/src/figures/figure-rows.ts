import { counted } from "@cm/terminal-text";
import { dollarsText, percentText, tokenCountText } from "../text/figures.ts";
import type { Cost, Figures } from "./figures.ts";

type Row = readonly [name: string, text: string];

/** What `/cm` says of the figures, also where this session is dearer than Pi alone. */
export function figureRows(figures: Figures | undefined): readonly Row[] {
  if (figures === undefined) return [["context", "no answer yet"]];
  const { contextTokens, plainTokens, isReported, input, dollars, requests } = figures;
  const about = isReported ? "" : "about ";
  const context = `${about}${tokenCountText(contextTokens)} tokens`;
  const plain = `Pi alone would have about ${tokenCountText(plainTokens)}`;
  return [
    ["context", `${context}; ${plain}${compared({ ours: contextTokens, plain: plainTokens })}`],
    ["input", inputText(input, requests)],
    ["cost", dollars === undefined ? "not known: Pi has no prices for the models of this session" : costText(dollars)],
  ];
}

function inputText(input: Cost, requests: number): string {
  const part = percentText(input.ours, input.plain);
  if (part === undefined) return "nothing billed yet";
  return `about ${part} of what Pi alone would be billed, over ${counted(requests, "request")}`;
}

function costText({ ours, plain }: Cost): string {
  const saved = plain - ours;
  const outcome = dollarsText(Math.abs(saved));
  const said = saved >= 0 ? `${outcome} saved` : `${outcome} more so far`;
  return `${dollarsText(ours)} with answers; Pi alone about ${dollarsText(plain)}: ${said}`;
}

/** `: 71% less`, in words that hold for both directions. */
function compared({ ours, plain }: Cost): string {
  const percent = plain > 0 ? Math.round(100 * (1 - ours / plain)) : 0;
  return percent === 0 ? ": the same" : `: ${Math.abs(percent)}% ${percent > 0 ? "less" : "more"}`;
}
