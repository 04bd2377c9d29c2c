import type { Protection } from "@cm/render";

/** One thing that is protected, as a person writes it: `*.md`, `tool:bash`, `prompts:3`. */
export type Pattern =
  | { readonly of: "paths" | "tools"; readonly pattern: string }
  | { readonly of: "prompts"; readonly count: number };

/** Undefined where the meaning is unclear. */
export function toPattern(text: string, home: string): Pattern | undefined {
  const [, key, value = ""] = /^(tool|tools|path|prompt|prompts):\s*(.*)$/s.exec(text) ?? [];
  if (key === "tool" || key === "tools") return value === "" ? undefined : { of: "tools", pattern: value };
  if (key === "prompt" || key === "prompts") {
    return /^\d{1,6}$/.test(value) ? { of: "prompts", count: Number(value) } : undefined;
  }
  const path = key === "path" ? value : text;
  return path === "" ? undefined : { of: "paths", pattern: path.replace(/^~(?=\/)/, home) };
}

export function withPattern(protection: Protection, pattern: Pattern): Protection {
  if (pattern.of === "prompts") return { ...protection, prompts: pattern.count };
  const known = protection[pattern.of];
  return known.includes(pattern.pattern) ? protection : { ...protection, [pattern.of]: [...known, pattern.pattern] };
}

export function withoutPattern(protection: Protection, pattern: Pattern): Protection {
  if (pattern.of === "prompts") return { ...protection, prompts: 0 };
  return { ...protection, [pattern.of]: protection[pattern.of].filter((one) => one !== pattern.pattern) };
}

export const has = (protection: Protection, pattern: Pattern): boolean =>
  pattern.of === "prompts" ? protection.prompts > 0 : protection[pattern.of].includes(pattern.pattern);
