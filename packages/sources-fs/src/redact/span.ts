/** A part of a text that goes, from `start` to before `end`, and the rule that says so. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** The replacement, if it is more than the mark. */
  readonly replacement?: string;
}

/** Holds no character of the secret, is valid inside quotes, YAML and URLs, and no rule matches it. */
export function markOf(rule: string): string {
  return `[redacted:${rule}]`;
}

export const markStart = "[redacted:";
