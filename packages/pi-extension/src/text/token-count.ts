import { countText } from "@cm/terminal-text";

/** Characters per token where no count exists. */
const charsPerToken = 4;

export const tokenCount = (chars: number): number => Math.round(chars / charsPerToken);

/** Tokens of a text, estimated: `31,000 tokens`, `1 token`. */
export function tokensOf(chars: number): string {
  const tokens = tokenCount(chars);
  return `${countText(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
}

/** The same with two digits, for what is about so much: `31,000 tokens`. */
export function aboutTokens(chars: number): string {
  const tokens = tokenCount(chars);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
  return tokensOf(Math.round(tokens / unit) * unit * charsPerToken);
}
