import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { limits } from "../limits.ts";
import { overflow } from "../model/overflow.ts";
import type { AnswerEvents, StreamEvent, ToWrite } from "../wire/answer-events.ts";
import { writeAnthropic } from "../wire/anthropic/write-anthropic.ts";
import { writeCompletions } from "../wire/completions/write-completions.ts";
import { formatOfPath, type WireFormat } from "../wire/formats.ts";
import { parseObject } from "../wire/json.ts";
import { writeResponses } from "../wire/responses/write-responses.ts";
import type { Script, ScriptedAnswer } from "../wire/script.ts";
import { Play, type PlayOptions } from "./play.ts";

/** A server on loopback that plays the model. One is enough for all tests of a file. */
export interface ScriptedModel {
  /** A script with an address of its own. */
  play(script: Script, options?: PlayOptions): Play;
  /** Ends the server and its connections. */
  close(): Promise<void>;
}

const writers: Readonly<Record<WireFormat, (write: ToWrite) => AnswerEvents>> = {
  "anthropic-messages": writeAnthropic,
  "openai-completions": writeCompletions,
  "openai-responses": writeResponses,
};

/** Starts on a free port of loopback. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const plays = new Map<string, Play>();
  const leaving = new AbortController();
  const server = createServer((request, response) => {
    response.on("error", () => {});
    serve(plays, { request, response, leaving: leaving.signal }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    play(script, options = {}) {
      const name = `/play-${plays.size + 1}`;
      const play = new Play(`http://127.0.0.1:${port}${name}`, script, options);
      plays.set(name, play);
      return play;
    },
    async close() {
      leaving.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly leaving: AbortSignal;
}

async function serve(plays: ReadonlyMap<string, Play>, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const [, name = "", path = ""] = /^(\/[^/]+)(\/[^?]*)/.exec(request.url ?? "") ?? [];
  const play = plays.get(name);
  const format = formatOfPath[path];
  if (play === undefined || format === undefined || request.method !== "POST") {
    return refuse(response, 404, `There is nothing at ${path}.`);
  }
  if (!play.takes(request.headers)) return refuse(response, 401, "It has no key.", "authentication_error");
  try {
    const body = parseObject(await bodyOf(request));
    const asked = await play.ask({ format, path, headers: withoutKeys(request), body });
    const { usage } = asked.answer;
    const tokens = typeof usage === "object" ? usage : asked.request.tokens;
    const write = { ...asked, tokens, model: play.nameFor(String(body.model)) };
    await reply(exchange, asked.answer, { format, streamed: body.stream === true, write });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    play.unreadable.push(`${path}: ${why}`);
    refuse(response, 400, `Not of the protocol: ${why}.`);
  }
}

async function reply(
  { response, leaving }: Exchange,
  answer: ScriptedAnswer,
  { format, streamed, write }: { format: WireFormat; streamed: boolean; write: ToWrite },
): Promise<void> {
  if (answer.delayMs !== undefined) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    await after(answer.delayMs, undefined, { signal: AbortSignal.any([gone.signal, leaving]) }).catch(() => {});
  }
  if (response.destroyed) return;
  if (answer.error !== undefined) {
    const { status, body } = answer.error === "overflow" ? overflow(format, write.tokens) : answer.error;
    const json = typeof body !== "string";
    response.writeHead(status, { "content-type": json ? "application/json" : "text/plain" });
    response.end(json ? JSON.stringify(body) : body);
    return;
  }
  const { open, rest, whole } = writers[format](write);
  if (!streamed) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of open) response.write(lines(event));
  if (answer.end === "stall") return;
  if (answer.end === "cut") {
    // The written bytes are sent first, because an immediate reset may drop them.
    response.write("", () => response.destroy());
    return;
  }
  for (const event of rest) response.write(lines(event));
  response.end();
}

const lines = ({ name, data }: StreamEvent): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`;

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  type = status === 404 ? "not_found_error" : "invalid_request_error",
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}

const keys = new Set(["authorization", "x-api-key", "cookie", "proxy-authorization"]);

const withoutKeys = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (keys.has(name) ? [] : [[name, String(value)] as const])),
  );

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > limits.requestBytesMax) throw new Error(`more than ${limits.requestBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
