import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { limits } from "../limits.ts";
import { ClientConnection } from "./client-connection.ts";
import type { FaultRule, SeenRequest } from "./fault.ts";
import { Round } from "./round.ts";
import type { Target } from "./target-connection.ts";

export interface FaultProxyOptions {
  /** The HTTP/1.1 server behind the proxy. */
  readonly target: Target;
  /** The first plan. Default: no faults. */
  readonly plan?: readonly FaultRule[];
  /** Pause between two bytes of `slow-drip`, in ms. Default: `limits.dripMs`. */
  readonly dripMs?: number;
}

export interface FaultProxy {
  /** `http://127.0.0.1:PORT`, the same for the whole life of the proxy. */
  readonly url: string;
  readonly port: number;
  /** The requests since the last plan, in the order of their arrival. Those that were refused before never arrived. */
  readonly seen: readonly SeenRequest[];
  /** Starts a new round: listens, counts from 1 again and follows these rules. Connections stay open. */
  plan(rules: readonly FaultRule[]): Promise<void>;
  /** Resolves when the target has answered, or broken off, everything that was forwarded or is due to be. */
  settled(): Promise<void>;
  /** Stops listening and ends all connections, on both sides; resolves when none is left. Twice is fine. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 on a free port and passes HTTP/1.1 on to a target, but for the faults that are planned. Messages
 * are passed on unchanged, each once it is whole. It is a tool for tests: no TLS, no CONNECT, no upgrades.
 * @throws TypeError for a plan or an interval that cannot be kept
 */
export async function openFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, plan = [], dripMs = limits.dripMs } = options;
  if (!(dripMs >= 1 && dripMs <= limits.dripMsMax)) throw new TypeError(`dripMs is from 1 to ${limits.dripMsMax}.`);
  let round = new Round(plan);
  let closed = false;
  const connections = new Map<ClientConnection, Promise<void>>();
  const exchanges = new Set<Promise<unknown>>();
  const server = createServer({ noDelay: true }, (client) => {
    const connection = new ClientConnection(client, surroundings);
    const served = connection.serve().finally(() => connections.delete(connection));
    connections.set(connection, served);
  });
  server.maxConnections = limits.connectionsMax;
  const listen = async (port: number): Promise<void> => {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
  };
  const stopListening = (): void => {
    if (server.listening) server.close();
    for (const connection of connections.keys()) if (connection.idle) connection.close();
  };
  const onExchange = (exchange: Promise<unknown>): void => {
    exchanges.add(exchange);
    const forget = (): void => {
      exchanges.delete(exchange);
    };
    exchange.then(forget, forget);
  };
  const listening = (): boolean => server.listening;
  const surroundings = { target, dripMs, round: () => round, listening, stopListening, onExchange };

  await listen(0);
  const { port } = server.address() as AddressInfo;
  if (round.refusesNext) stopListening();

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get seen() {
      return round.seen;
    },
    async plan(rules) {
      if (closed) throw new TypeError("The proxy is closed; open a new one.");
      const next = new Round(rules);
      round.end();
      round = next;
      if (round.refusesNext) stopListening();
      else if (!server.listening) await listen(port);
    },
    async settled() {
      while (exchanges.size > 0) await Promise.allSettled(exchanges);
    },
    async close() {
      closed = true;
      if (server.listening) server.close();
      const ends = [...connections];
      for (const [connection] of ends) connection.close();
      round.end();
      await Promise.all(ends.map(([, end]) => end));
    },
  };
}
