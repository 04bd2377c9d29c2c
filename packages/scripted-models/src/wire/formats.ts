/** The wire formats that the scripted model speaks, by Pi's names for them. */
export const wireFormats = ["anthropic-messages", "openai-completions", "openai-responses"] as const;
export type WireFormat = (typeof wireFormats)[number];

/** Under which path of a base URL each format is asked. */
export const formatOfPath: Readonly<Record<string, WireFormat>> = {
  "/v1/messages": "anthropic-messages",
  "/v1/chat/completions": "openai-completions",
  "/v1/responses": "openai-responses",
};
