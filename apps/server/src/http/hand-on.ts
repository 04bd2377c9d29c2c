import type { RunFilter, RunHolder } from "@cm/lineage";
import { isCmError } from "@cm/object-model";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { addressFromHere } from "./announced-address.ts";
import type { ServerState } from "./server-state.ts";

/** Marks what another server handed on: it is answered here or not at all, so that no request goes in circles. */
const handedOn = "x-cm-handed-on";

/** Headers of a request that mean something to the server that executes the run. */
const passedOn = ["authorization", "content-type", "last-event-id"] as const;
const passedBack = ["content-type", "cache-control", "x-accel-buffering"] as const;

/**
 * Lets any server of a store be asked about a run: what only the server that executes it can do is handed on to that one,
 * with the caller's own token.
 */
export function handOnElsewhere(app: OpenAPIHono, state: ServerState): void {
  const ofConversation = [
    "/api/conversations/:id/:verb{(?:events|steer)}",
    "/api/governance/sessions/:id/:verb{(?:resume|close|cancel)}",
  ];
  const byRun = (request: Request, id: string) => answerElsewhere(request, id, state);
  const byConversation = async (request: Request, id: string) => {
    const conversation = await orNothing(() => state.runtime.lineage.conversation(id));
    const running = conversation?.running ?? undefined;
    return running === undefined ? undefined : answerElsewhere(request, running, state);
  };
  app.use(
    "/api/sessions/:id/:verb{(?:events|interrupt|steer)}",
    async (c, next) => (await byRun(c.req.raw, c.req.param("id"))) ?? next(),
  );
  for (const path of ofConversation)
    app.use(path, async (c, next) => (await byConversation(c.req.raw, c.req.param("id") ?? "")) ?? next());
  app.use("/api/governance/sessions/:session/tasks/:id/cancel", async (c, next) => {
    const { session, id } = c.req.param();
    if (state.governance?.executes(id) === true) return next();
    // A task that goes on after a crash is executed by a run of another name.
    return (await byRun(c.req.raw, id)) ?? (await byConversation(c.req.raw, session)) ?? next();
  });
}

/** Another server of the store. */
export interface OtherServer {
  /** One of the runs that it executes. */
  readonly id: string;
  /** Undefined where it is not reached from here. */
  readonly address: string | undefined;
}

/**
 * The other servers that execute runs now, each once. A server that is gone is none: its runs end with its lease.
 * @returns nothing for what another server handed on
 */
export async function otherServers(
  request: Request,
  { runtime }: ServerState,
  filter: Pick<RunFilter, "conversationId"> = {},
): Promise<readonly OtherServer[]> {
  if (request.headers.has(handedOn)) return [];
  const others = new Map<string, OtherServer>();
  for await (const { run, address: announced } of runtime.lineage.elsewhere(filter)) {
    const { session_id: id } = run;
    const address = announced === undefined ? undefined : addressFromHere(announced);
    others.set(address ?? id, { id, address });
  }
  return [...others.values()];
}

/** Interrupts what other servers execute in a conversation. @returns how many runs they were */
export async function interruptElsewhere(
  request: Request,
  conversationId: string,
  state: ServerState,
): Promise<number> {
  let interrupted = 0;
  for (const { id, address } of await otherServers(request, state, { conversationId })) {
    if (address === undefined) throw unnamed(id);
    const answer = await handOn(request, { address, id });
    if (!answer.ok) throw unreachable(id);
    interrupted += ((await answer.json()) as { readonly interrupted: number }).interrupted;
  }
  return interrupted;
}

async function answerElsewhere(request: Request, id: string, state: ServerState): Promise<Response | undefined> {
  const holder = await holderElsewhere(id, state.runtime);
  if (holder === undefined) return undefined;
  const address = reachable(holder, id);
  if (request.headers.has(handedOn))
    throw serverError(
      "server/not-ready",
      `This server does not execute the run ${id}; its own has another --address.`,
      {
        id,
      },
    );
  const answer = await handOn(request, { address, id });
  const headers = passedBack.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  return new Response(answer.body, { status: answer.status, headers });
}

/** Undefined where it runs here, has ended, or never was. */
async function holderElsewhere(id: string, runtime: ServerState["runtime"]): Promise<RunHolder | undefined> {
  return runtime.live.get(id) === undefined ? orNothing(() => runtime.lineage.holderOf(id)) : undefined;
}

/** @throws CmError `server/not-ready` */
function reachable({ isAlive, address: announced }: RunHolder, id: string): string {
  if (!isAlive)
    throw serverError("server/not-ready", `The server that executed the run ${id} is gone; the run fails shortly.`, {
      id,
    });
  const address = announced === undefined ? undefined : addressFromHere(announced);
  if (address !== undefined) return address;
  throw unnamed(id);
}

const unnamed = (id: string) =>
  serverError("server/not-ready", `Another server executes the run ${id}; start that one with --address.`, { id });

/**
 * The same request at another server, with its body where that was not read here. Its answer must begin soon; a stream
 * then goes on for as long as the run.
 */
export async function handOn(
  request: Request,
  { address, id, body: given }: { readonly address: string; readonly id: string; readonly body?: string },
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers({ [handedOn]: id });
  for (const name of passedOn) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limits.handOnMs);
  try {
    const body = given ?? (request.method === "GET" ? undefined : await request.clone().arrayBuffer());
    const signal = AbortSignal.any([late.signal, request.signal]);
    const asked = { method: request.method, headers, signal, redirect: "error" as const };
    return await fetch(`${address}${pathname}${search}`, { ...asked, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    throw unreachable(id, error);
  } finally {
    clearTimeout(timer);
  }
}

const unreachable = (id: string, cause?: unknown) =>
  serverError(
    "server/unreachable",
    `The server that executes the run ${id} does not answer; try again, or wait until its lease is over.`,
    { id },
    { cause },
  );

/** Undefined for what is not in the records: the route that answers the request says so. */
async function orNothing<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isCmError(error, "lineage/not-found") || isCmError(error, "lineage/invalid")) return undefined;
    throw error;
  }
}
