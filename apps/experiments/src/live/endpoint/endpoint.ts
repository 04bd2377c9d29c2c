import { defined, type JsonObject } from "@cm/object-model";
import { isProtocol, type Protocol, wires } from "@cm/scripted-models";
import { z } from "zod";
import { liveError } from "../live-error.ts";

/** A model somewhere. The key is handed out by a call alone, so that nothing that prints or stores this has it. */
export interface Endpoint {
  readonly protocol: Protocol;
  readonly url: URL;
  readonly model: string;
  readonly windowTokens?: number;
  /** Members that every request's body has besides, as the user wants them: temperature, thinking. */
  readonly extra: JsonObject;
  readonly key: () => string | undefined;
}

const extraMembers = z.record(z.string(), z.json());

/**
 * The endpoint that variables name: `CM_LIVE_PROTOCOL`, `CM_LIVE_URL`, `CM_LIVE_KEY`, `CM_LIVE_MODEL`,
 * `CM_LIVE_WINDOW_TOKENS`, `CM_LIVE_EXTRA`. The key is taken out of them: what this process starts must not have it.
 * @throws CmError `live/usage`
 */
export function endpointOf(variables: NodeJS.ProcessEnv): Endpoint {
  const {
    CM_LIVE_PROTOCOL: protocol = "",
    CM_LIVE_URL: address,
    CM_LIVE_MODEL: model,
    CM_LIVE_WINDOW_TOKENS: tokens,
  } = variables;
  if (!isProtocol(protocol)) throw unusable("CM_LIVE_PROTOCOL is neither openai nor anthropic");
  if (address === undefined || !URL.canParse(address)) throw unusable("CM_LIVE_URL is no address");
  if (model === undefined || model === "") throw unusable("CM_LIVE_MODEL names no model");
  if (tokens !== undefined && !/^[1-9][0-9]{2,9}$/.test(tokens))
    throw unusable("CM_LIVE_WINDOW_TOKENS is no number of tokens");
  const key = variables.CM_LIVE_KEY?.trim() || undefined;
  delete variables.CM_LIVE_KEY;
  // Only these can stand in a header; the client's own complaint would quote the key.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw unusable("CM_LIVE_KEY has characters that no key has");
  const extra = extraOf(variables.CM_LIVE_EXTRA);
  if (key !== undefined && JSON.stringify(extra).includes(key)) throw unusable("CM_LIVE_EXTRA holds the key");
  return {
    protocol,
    url: wires[protocol].address(httpUrl(address)),
    model,
    ...defined({ windowTokens: tokens === undefined ? undefined : Number(tokens) }),
    extra,
    key: () => key,
  };
}

function httpUrl(address: string): URL {
  const url = new URL(address);
  if (!["http:", "https:"].includes(url.protocol)) throw unusable("CM_LIVE_URL is no address of http or https");
  if (url.username !== "" || url.password !== "") throw unusable("CM_LIVE_URL holds a login; use CM_LIVE_KEY");
  return url;
}

function extraOf(text = "{}"): JsonObject {
  try {
    return extraMembers.parse(JSON.parse(text)) as JsonObject;
  } catch {
    throw unusable("CM_LIVE_EXTRA is no JSON object");
  }
}

function unusable(what: string) {
  return liveError("live/usage", `${what}. Without a model: npm start -- live --scripted`);
}
