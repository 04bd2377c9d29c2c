import type { Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

/** What addresses call a token that lets its holder in once: `/password/reset/X`, `/magic/X`, `/invite/accept/X`. */
const toToken =
  /(?:pass(?:word|wd)[_-]?(?:\/?reset[\w-]{0,16})?|\/(?:magic|invit|reset|recover)[\w-]{0,24})(?:\/[a-z-]{1,16})?\//iy;
const token = /[\w-]{20,200}(?=[\s"'`<>?#&),.\\]|$)/y;

/** Finds tokens that are a part of an address's path. */
export function findPathTokens(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const at of names) {
    const first = text.charCodeAt(at) | 32;
    if (first !== 47 && first !== 112) continue;
    if (first === 112 && text.charAt(at - 1) !== "/") continue;
    toToken.lastIndex = at;
    if (!toToken.test(text)) continue;
    token.lastIndex = toToken.lastIndex;
    if (!token.test(text)) continue;
    const [start, end] = [toToken.lastIndex, token.lastIndex];
    if (gradeOf(text.slice(start, end)) !== undefined) spans.push({ start, end, rule: "link" });
  }
  return spans;
}
