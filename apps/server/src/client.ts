import type { AGUIEvent } from "@ag-ui/core";
import { hc } from "hono/client";
import type { Api } from "./http/app.ts";

export interface ClientOptions {
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** A client of a server, with its routes as types: `client.api.conversations.run.$post({ json: { input: "Hello" } })`. */
export function createClient(url: string, { token, fetch }: ClientOptions = {}) {
  return hc<Api>(url, {
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

export type ServerClient = ReturnType<typeof createClient>;

/** An event of a run, with the number by which a reader goes on behind it: `Last-Event-ID`. */
export interface ReadEvent {
  readonly id: string;
  readonly event: AGUIEvent;
}

/** The events of an answer of `run`, `fork`, `fire`, `execute` or `events`, as they come. */
export async function* readEvents(answer: {
  readonly body: ReadableStream<Uint8Array> | null;
}): AsyncGenerator<ReadEvent> {
  if (answer.body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    const records = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = records.pop() ?? "";
    for (const record of records) {
      const fields = new Map(
        record
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
      );
      const data = fields.get("data");
      if (data !== undefined) yield { id: fields.get("id") ?? "", event: JSON.parse(data) as AGUIEvent };
    }
  }
}
