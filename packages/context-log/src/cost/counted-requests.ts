import type { DocumentOf } from "@cm/object-model";
import { limits } from "../limits.ts";

/** A request with what the provider counted of it. */
export interface CountedRequest {
  /** With system prompt and tool declarations. */
  readonly chars: number;
  readonly tokens: number;
}

/** The newest requests that a provider counted, with one more. */
export function withCounted(
  counted: readonly CountedRequest[],
  { prompt_chars, usage }: Pick<DocumentOf<"step">, "prompt_chars" | "usage">,
  headChars: number,
): readonly CountedRequest[] {
  if (usage === undefined) return counted;
  const tokens = usage.input + usage.cache_read + usage.cache_write;
  if (tokens === 0) return counted;
  return [...counted.slice(1 - limits.countedRequestsMax), { chars: prompt_chars + headChars, tokens }];
}
