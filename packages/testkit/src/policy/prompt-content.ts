import type { PromptMessage } from "@cm/context-log";
import { canonicalJson } from "@cm/object-model";

/** What a provider counts of a message: its text, and its arguments as JSON. */
export const contentOf = ({ text, calls = [] }: PromptMessage): string =>
  text + calls.map(({ args }) => canonicalJson(args)).join("");
