import type { Span } from "./span.ts";
import { spansAt } from "./spans-at.ts";
import { gradeOf } from "./token-grade.ts";

/**
 * What addresses call a token that lets its holder in once: `/password/reset/X`, `/magic/X`, `/invite/accept/X`.
 * The address of a hook is all that its use takes: `/hooks/T1/X`, `/api/webhooks/1/X`.
 */
const toToken =
  /(?:pass(?:word|wd)[_-]?(?:\/?reset[\w-]{0,16})?(?:\/[a-z-]{1,16})?|(?:\/(?:magic|invit|reset|recover|confirm|verif[iy]|activat)|-invit(?<=\/accept-invit))[\w-]{0,24}(?:\/[a-z-]{1,16})?|(?:\/hooks?|ebhook(?:s|b\d)?(?:-test)?)(?:\/[\w@./-]{1,160}?)?)(?:\/|\/?\?(?:[\w-]{1,24}=[\w.@%+-]{0,80}&)??[\w-]{1,24}=)(?=([\w-]{20,200})(?:[\s"'`<>?#&),.\\]|$))/iy;

/** Finds tokens that are a part of an address's path. */
export function findPathTokens(text: string, names: readonly number[]): Span[] {
  return spansAt(names, (at) => tokenAt(text, at));
}

function tokenAt(text: string, at: number): Span | undefined {
  const first = text.charAt(at).toLowerCase();
  if (first === "p" ? text.charAt(at - 1) !== "/" : first !== "/" && first !== "e" && first !== "-") return undefined;
  toToken.lastIndex = at;
  const token = toToken.exec(text)?.[1];
  if (token === undefined || gradeOf(token) === undefined) return undefined;
  return { start: toToken.lastIndex, end: toToken.lastIndex + token.length, rule: "link" };
}
