import type { Api, Model, MutableModels, Provider } from "@earendil-works/pi-ai";
import { createProvider } from "@earendil-works/pi-ai";
import { anthropicMessagesApi } from "@earendil-works/pi-ai/api/anthropic-messages.lazy";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { openAIResponsesApi } from "@earendil-works/pi-ai/api/openai-responses.lazy";
import { serverError } from "../errors.ts";
import type { PresetModel } from "./preset-schema.ts";

export interface ResolvedModel {
  readonly model: Model<Api>;
  readonly models: MutableModels;
}

type Endpoint = Extract<PresetModel, { readonly baseUrl: string }>;

/** A preset's model: of pi-ai's catalog, with its keys from the environment, or an endpoint that the preset describes. */
export async function resolveModel(wanted: PresetModel, env: NodeJS.ProcessEnv): Promise<ResolvedModel> {
  if ("baseUrl" in wanted) return endpointModel(wanted, env);
  // The catalog is large, and a server of endpoints alone needs none of it.
  const { builtinModels } = await import("@earendil-works/pi-ai/providers/all");
  const models = builtinModels();
  const model = models.getModel(wanted.provider, wanted.id);
  if (model !== undefined) return { model, models };
  throw serverError(
    "server/unknown-model",
    `The catalog has no model ${wanted.id} of ${wanted.provider}; a model of one's own has an \`api\` and a \`baseUrl\`.`,
  );
}

async function endpointModel(wanted: Endpoint, env: NodeJS.ProcessEnv): Promise<ResolvedModel> {
  const { createModels } = await import("@earendil-works/pi-ai");
  const { provider, id, api, baseUrl, contextWindow, maxTokens, reasoning, images } = wanted;
  const model: Model<Api> = {
    ...{ id, name: id, api, provider, baseUrl, reasoning, contextWindow, maxTokens },
    input: images ? ["text", "image"] : ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const models = createModels();
  models.setProvider(endpointProvider(wanted, model, env));
  return { model, models };
}

function endpointProvider({ provider, apiKeyEnv }: Endpoint, model: Model<Api>, env: NodeJS.ProcessEnv): Provider {
  return createProvider({
    id: provider,
    auth: {
      apiKey: {
        name: provider,
        resolve: async () => {
          const apiKey = apiKeyEnv === undefined ? "none" : env[apiKeyEnv];
          return apiKey === undefined || apiKey === "" ? undefined : { auth: { apiKey }, source: apiKeyEnv ?? "none" };
        },
      },
    },
    models: [model],
    api: {
      "anthropic-messages": anthropicMessagesApi(),
      "openai-completions": openAICompletionsApi(),
      "openai-responses": openAIResponsesApi(),
    },
  });
}
