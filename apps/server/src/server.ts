import { mkdirSync, realpathSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { type Lineage, openLineage, type StateStore } from "@cm/lineage";
import { isCmError, type ObjectStore } from "@cm/object-model";
import { createAdaptorServer } from "@hono/node-server";
import type { CallChecks } from "./agent/call-checks.ts";
import { serverError } from "./errors.ts";
import { Governance } from "./governance/governance.ts";
import type { GovernanceOptions } from "./governance/governance-options.ts";
import { type Access, isLoopback } from "./http/access.ts";
import { announcedAddress } from "./http/announced-address.ts";
import { appOf } from "./http/app.ts";
import { Metrics } from "./http/metrics.ts";
import { limits } from "./limits.ts";
import type { Presets } from "./presets/read-presets.ts";
import { endOfOrphan } from "./runs/end-of-orphan.ts";
import { Runtime, type RuntimeObserver } from "./runs/runtime.ts";
import { version } from "./version.ts";

export interface ServerOptions {
  /** It stays open when the server is closed. */
  readonly store: ObjectStore;
  /** For display messages. It is closed with the server. */
  readonly states: StateStore;
  readonly presets: Presets;
  /** Folders below which agents work. */
  readonly roots: readonly string[];
  /** Where forks get folders of their own, with the files as they were; it is made. Default: they get none. */
  readonly forks?: string | undefined;
  readonly access: Access;
  /** Default: `127.0.0.1`. Another one needs tokens. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** The URL by which the other servers of its store reach it. Default: the one it listens on, where that is one address. */
  readonly address?: string | undefined;
  /** The server's name in the records, the same after it was started again. Default: a fresh one. */
  readonly name?: string | undefined;
  readonly leaseMs?: number | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** Rules for what agents are about to do, beside those of presets. */
  readonly checks?: readonly CallChecks[];
  /** Every run then has a policy, approvals and an audit. Default: runs are not governed. */
  readonly governance?: GovernanceOptions | undefined;
  readonly bufferMs?: number;
  readonly bufferBytesMax?: number;
  readonly runsMax?: number;
  readonly heartbeatMs?: number;
  /** Called with one record for each thing that is worth a line. Default: no record is kept. */
  readonly log?: (fields: Readonly<Record<string, unknown>>) => void;
}

/** A server that takes requests. */
export interface RunningServer {
  readonly url: string;
  readonly runtime: Runtime;
  /** Undefined without governance. */
  readonly governance: Governance | undefined;
  /** Takes no new runs, waits for those that go on, interrupts what is left, and ends. */
  stop(drainMs?: number): Promise<void>;
}

/**
 * Fails the runs that a former self left behind, and takes requests.
 * @throws CmError `server/usage` for an address beyond loopback without tokens, `lineage/...`, what the store throws
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, states, host = "127.0.0.1", port = 0, log = () => {} } = options;
  if (!options.access.isClosed && !isLoopback(host))
    throw serverError(
      "server/usage",
      "Beyond loopback the server needs tokens: CM_SERVER_TOKEN, or a file with --tokens.",
    );
  const lineage = await openLineage({
    ...{ store, states },
    ...(options.name === undefined ? {} : { owner: options.name }),
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    endOfOrphan: async (run) =>
      governance && endOfOrphan(run, { governance, lineage, store, presets: options.presets }),
  });
  const governance = governanceOf(options, lineage, log);
  const recovered = await lineage.recover();
  if (recovered.length > 0)
    log({ level: "info", message: "Runs without a live owner have failed.", runs: recovered.length });
  const said = (await governance?.recoverAudit()) ?? 0;
  if (said > 0)
    log({ level: "info", message: "The audit has what was said before the server was killed.", events: said });
  const runtime = runtimeOf(options, { lineage, governance }, log);
  const { metrics } = runtime;
  let isStopping = false;
  const app = appOf({
    ...{ store, metrics, version, log, governance, runtime: runtime.runtime },
    access: options.access,
    isStopping: () => isStopping,
    heartbeatMs: options.heartbeatMs,
  });
  const renewing = keepLease(lineage, runtime.runtime, log);
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { maxHeaderSize: limits.headerBytesMax },
  }) as Server;
  const url = await listening(server, host, port);
  const address = options.address ?? (isEveryAddress(host) ? undefined : url);
  if (address !== undefined) await lineage.announce(announcedAddress(checkedAddress(address)));
  governance?.keep(log);
  // Pi's tools take half a second to load: the first run need not wait for them.
  void import("@earendil-works/pi-coding-agent").catch(() => undefined);
  return {
    ...{ url, governance, runtime: runtime.runtime },
    async stop(drainMs) {
      isStopping = true;
      await runtime.runtime.drain(drainMs);
      clearInterval(renewing);
      await closed(server);
      await governance?.close();
      // What could not be recorded would be waited for for ever.
      if (lineage.registry.size === 0) await lineage.close();
    },
  };
}

function governanceOf(
  { governance, store: content }: ServerOptions,
  lineage: Lineage,
  log: NonNullable<ServerOptions["log"]>,
) {
  if (governance === undefined) return undefined;
  const fault = (message: string, error: unknown) => log({ level: "error", message, error: String(error) });
  return new Governance({ ...governance, content, lineage, fault });
}

function runtimeOf(
  options: ServerOptions,
  { lineage, governance }: { readonly lineage: Lineage; readonly governance: Governance | undefined },
  log: NonNullable<ServerOptions["log"]>,
) {
  const { store, presets, env = process.env, checks = [], name = "server" } = options;
  const observer: RuntimeObserver = {
    started: (run) => {
      metrics.started(run.session_type);
      log({ level: "info", message: "run started", run: run.session_id, conversation: run.conversation_id });
    },
    ended: (run, outcome) => {
      const ms = Date.now() - run.created_at;
      metrics.ended(run.session_type, run.status, ms, outcome?.usage ?? []);
      log({ level: "info", message: "run ended", run: run.session_id, status: run.status, end: outcome?.end, ms });
    },
    fault: (what, error) => {
      const stack = error instanceof Error ? error.stack : undefined;
      log({ level: isCmError(error) ? "warn" : "error", message: what, error: String(error), stack });
    },
  };
  const runtime: Runtime = new Runtime({
    ...{ store, presets, env, checks, lineage, governance, observer },
    owner: `${name}@${hostname()}:${process.pid}`,
    ...foldersOf(options),
    bufferMs: options.bufferMs,
    bufferBytesMax: options.bufferBytesMax,
    runsMax: options.runsMax,
  });
  const metrics = new Metrics({ running: () => runtime.live.running().length, readers: () => runtime.live.readers });
  return { runtime, metrics };
}

/** As they are on disk. Agents work in the folders of forks as in others. */
function foldersOf({ roots, forks }: ServerOptions) {
  if (forks !== undefined) mkdirSync(forks, { recursive: true, mode: 0o700 });
  const place = forks === undefined ? undefined : realpathSync(forks);
  return { roots: [...roots.map((root) => realpathSync(root)), ...(place === undefined ? [] : [place])], forks: place };
}

/**
 * The lease of all its runs, and the end of runs whose server is gone. A server whose name another process has taken runs
 * nothing any more.
 */
function keepLease(lineage: Lineage, runtime: Runtime, log: NonNullable<ServerOptions["log"]>): NodeJS.Timeout {
  let renewing = false;
  const renew = async () => {
    if (renewing) return;
    renewing = true;
    try {
      await lineage.renew();
      // With each renewal, so that no run stands as running much longer than the lease of its server.
      const failed = await lineage.recover();
      if (failed.length > 0)
        log({ level: "info", message: "Runs of servers that are gone have failed.", runs: failed.length });
    } catch (error) {
      log({ level: "error", message: "The lease could not be renewed.", error: String(error) });
      if (isCmError(error, "lineage/not-ours")) for (const live of runtime.live.running()) live.interrupt();
    } finally {
      renewing = false;
    }
  };
  return setInterval(() => void renew(), lineage.renewEveryMs).unref();
}

async function listening(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        serverError(
          "server/usage",
          `The server cannot listen on ${host}:${port}; choose another --port.`,
          {},
          { cause: error },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${taken}`;
}

/** It listens on all, and is reached under none of that name. */
const isEveryAddress = (host: string): boolean => ["0.0.0.0", "::", ""].includes(host);

/** @throws CmError `server/usage` */
function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isPlain && url.search === "" && url.hash === "") return url.href.replace(/\/$/, "");
  throw serverError("server/usage", "The address is no URL such as http://10.0.0.7:7420; give another --address.");
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    // Streams are over with their runs; what is left are connections that wait for another request.
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
