import { type Json, type JsonObject, type Piece, PrefixCache, pieceOf } from "@cm/scripted-models";

const charsPerToken = 4;

/**
 * The cache of the scripted provider, asked by the bodies of requests alone: it stores what ends at a mark, and finds it
 * again up to 20 blocks before one.
 */
export class MarkedCache {
  readonly #cache = new PrefixCache();

  /** Sends a request. Gives the characters that were served from earlier ones. */
  request(payload: unknown): number {
    return this.#cache.count("anthropic-messages", blocksOf(payload)).cacheRead * charsPerToken;
  }
}

/** In the order in which a provider reads them: tools, system prompt, messages. */
export function blocksOf(payload: unknown): readonly Piece[] {
  const { tools, system, messages } = record(payload);
  const ofMessages = list(messages).flatMap((message) => {
    const { role, content, tool_calls, tool_call_id } = record(message);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
    return [...blocks, ...list(tool_calls)].map((block) => pieceOf(`${role} ${tool_call_id ?? ""}`, block));
  });
  return [...list(tools), ...list(system)].map((block) => pieceOf("head", block)).concat(ofMessages);
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

const record = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null ? (value as JsonObject) : {};

export const marksOf = (payload: unknown): number => blocksOf(payload).filter(({ marked }) => marked).length;

export const withoutMarks = (payload: unknown): readonly string[] => blocksOf(payload).map(({ text }) => text);
