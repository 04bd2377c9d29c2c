import { EventType } from "@ag-ui/core";
import { createMemoryStateStore, type StateStore } from "@cm/lineage";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { Play } from "@cm/scripted-models";
import { createClient, type ReadEvent, readEvents } from "../../src/client.ts";
import { accessOf } from "../../src/http/access.ts";
import { parsePresets } from "../../src/presets/read-presets.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/server.ts";
import { serverTypes } from "../../src/store/open-store.ts";
import { modelOf } from "./scripted.ts";

export interface TestServer extends RunningServer {
  readonly client: ReturnType<typeof createClient>;
  readonly store: ObjectStore;
  readonly states: StateStore;
  /** Begins a run that streams, and gives its events. */
  run(body: object): Promise<AsyncGenerator<ReadEvent>>;
  /** The run from its beginning to its end, with its ids. */
  whole(body: object, path?: string): Promise<WholeRun>;
  post(path: string, body?: object): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface WholeRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly events: readonly ReadEvent[];
}

/** A preset whose model a play answers for. */
export const presetOf = (play: Play, more: object = {}) => ({ model: modelOf(play), prompt: "You work.", ...more });

/** A server with presets of its own, in this process. */
export async function serverWith(
  presets: Readonly<Record<string, object>>,
  folder: string,
  more: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const store = more.store ?? createMemoryStore({ types: serverTypes });
  const states = more.states ?? createMemoryStateStore();
  const server = await startServer({
    ...{ store, states, access: accessOf([]), env: {}, roots: [folder] },
    presets: parsePresets(JSON.stringify({ presets, default: Object.keys(presets)[0] }), "presets.json"),
    ...more,
  });
  return { ...server, ...over(server.url), store, states };
}

/** Requests of a server, by its address. */
export function over(url: string) {
  const post = (path: string, body: object = {}) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    client: createClient(url),
    post,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${url}${path}`, { headers }),
    async run(body: object) {
      const answer = await post("/api/conversations/run", body);
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
      return readEvents(answer);
    },
    async whole(body: object, path = "/api/conversations/run"): Promise<WholeRun> {
      const answer = await post(path, body);
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
      const events: ReadEvent[] = [];
      for await (const event of readEvents(answer)) events.push(event);
      return { ...namesOf(events[0]), events };
    },
  };
}

/** Which run it is, from the first of its events. */
export function namesOf(first: ReadEvent | undefined): { readonly runId: string; readonly conversationId: string } {
  if (first?.event.type !== EventType.RUN_STARTED) throw new Error("The first event does not begin a run.");
  return { runId: first.event.runId, conversationId: first.event.threadId };
}

/** A promise, and what fulfils it. */
export function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
