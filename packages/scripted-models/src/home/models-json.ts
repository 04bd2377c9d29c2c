import { type WireFormat, wireFormats } from "../wire/formats.ts";

export interface ModelOptions {
  /** In tokens. Default: 200,000. */
  readonly contextWindow?: number;
  /** In tokens. Default: 8,192. */
  readonly maxTokens?: number;
  /** Whether the model takes images. Default: true. */
  readonly images?: boolean;
  /** Whether the model thinks. Default: true. */
  readonly reasoning?: boolean;
}

/** Prices for a million tokens, of about the size that they have. */
const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

export const scriptedModel = "scripted";
export const providerOf = (format: WireFormat): string => `scripted-${format}`;

/** The entries of the scripted model in `models.json`: one provider for each wire format. */
export function modelsJson(url: string, options: ModelOptions): object {
  const { contextWindow = 200_000, maxTokens = 8_192, images = true, reasoning = true } = options;
  const input = images ? ["text", "image"] : ["text"];
  const model = { id: scriptedModel, name: "Scripted", contextWindow, maxTokens, input, reasoning, cost };
  const provider = (format: WireFormat): object => ({
    // The client of Anthropic adds the version itself.
    baseUrl: format === "anthropic-messages" ? url : `${url}/v1`,
    api: format,
    apiKey: "scripted",
    models: [model],
  });
  return { providers: Object.fromEntries(wireFormats.map((format) => [providerOf(format), provider(format)])) };
}
