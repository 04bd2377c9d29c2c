import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Usage } from "@cm/object-model";
import { limits } from "../limits.ts";
import { PrefixCache } from "./prefix-cache.ts";
import { readChat } from "./read-chat.ts";
import { readMessages } from "./read-messages.ts";
import type { Script, ScriptedAnswer } from "./script.ts";
import { BadRequest, insist, type SentRequest } from "./sent-request.ts";
import { type AnswerFacts, chatAnswer, messagesAnswer } from "./write-answer.ts";

export interface ScriptedServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly scripts: readonly Script[];
  /** Whoever asks must give it. */
  readonly key: string;
  /** Bodies as they came, for tests. */
  readonly onBody?: (path: string, body: string) => void;
}

interface Format {
  readonly read: (body: unknown) => SentRequest;
  readonly write: (answer: ScriptedAnswer, facts: AnswerFacts) => object;
}

const formats: Readonly<Record<string, Format>> = {
  "/v1/messages": { read: readMessages, write: messagesAnswer },
  "/v1/chat/completions": { read: readChat, write: chatAnswer },
};

/**
 * Plays the model on this machine's loopback, in both formats: to the n-th request of a task it says the n-th answer of
 * the task's script, whatever the tools gave. What a provider would refuse is refused.
 */
export async function startScriptedServer({ scripts, key, onBody }: ScriptedServerOptions): Promise<ScriptedServer> {
  const cache = new PrefixCache();
  const server = createServer(async (request, response) => {
    const reply = (status: number, json: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    };
    try {
      const path = request.url ?? "";
      const format = formats[path];
      if (format === undefined || request.method !== "POST") return reply(404, failure("not_found_error"));
      if (!hasKey(request, key)) return reply(401, failure("authentication_error"));
      const body = await textOf(request);
      onBody?.(path, body);
      const sent = format.read(JSON.parse(body));
      const answer = answerTo(sent, scripts);
      const usage: Usage = { ...cache.count(sent), output: Math.ceil(JSON.stringify(answer).length / 4) };
      reply(200, format.write(answer, { usage, answers: sent.answers }));
    } catch (error) {
      const what = error instanceof BadRequest ? error.message : "no such body";
      reply(400, failure("invalid_request_error", what));
    }
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => closed(server) };
}

function answerTo({ userText, answers }: SentRequest, scripts: readonly Script[]): ScriptedAnswer {
  const script = scripts.find(({ title }) => userText.includes(title));
  insist(script !== undefined, "a task without a script");
  const answer = script.answers[answers];
  insist(answer !== undefined, "the script has ended");
  return answer;
}

const failure = (type: string, message = type): object => ({ type: "error", error: { type, message } });

function hasKey({ headers }: IncomingMessage, key: string): boolean {
  return headers["x-api-key"] === key || headers.authorization === `Bearer ${key}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    insist(bytes <= limits.scriptedBodyBytesMax, "too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
