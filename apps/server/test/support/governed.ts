import type { ApprovalClock, CapabilityGrant, GovernedEvent, LlmPolicy, TelemetryEvent } from "@cm/governance";
import { createMemoryStateStore } from "@cm/lineage";
import type { ObjectStore } from "@cm/object-model";
import type { ReadEvent } from "../../src/client.ts";
import type { Governance } from "../../src/governance/governance.ts";
import type { GovernanceOptions } from "../../src/governance/governance-options.ts";
import type { ServerOptions } from "../../src/server.ts";
import { serverWith, type TestServer } from "./running-server.ts";

/** A clock that a test turns on by itself. */
export class TestClock implements ApprovalClock {
  #now = Date.parse("2026-11-24T10:00:00Z");
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }
}

export interface BundleParts {
  readonly capabilities?: readonly CapabilityGrant[];
  readonly llmPolicy?: LlmPolicy;
  readonly hours?: number;
  /** Asked each time. */
  readonly flags?: () => unknown;
}

/** All that the tools of a coding agent do. */
export const everything: readonly CapabilityGrant[] = [
  { name: "File.Read" },
  { name: "File.Write" },
  { name: "Shell.Exec" },
  { name: "Network.Http" },
  { name: "BackendTool.Invoke" },
];

export interface GovernedServer extends TestServer {
  readonly governance: Governance;
  readonly clock: TestClock;
  readonly telemetry: TelemetryEvent[];
  /** Bundles that the policy was asked for. */
  readonly asked: string[];
  json<Answer>(path: string): Promise<Answer>;
  /** The story of a session, oldest first. */
  audit(sessionId: string): Promise<readonly GovernedEvent[]>;
}

/** A server whose sessions all have the same policy, under a clock of its own. */
export async function governedServer(
  presets: Readonly<Record<string, object>>,
  folder: string,
  parts: BundleParts &
    Partial<GovernanceOptions> & { readonly server?: Partial<ServerOptions>; readonly testClock?: TestClock } = {},
): Promise<GovernedServer> {
  const { capabilities = everything, llmPolicy = {}, hours = 1, flags, server: more, testClock, ...options } = parts;
  const clock = testClock ?? new TestClock();
  const telemetry: TelemetryEvent[] = [];
  const asked: string[] = [];
  const policy = {
    flagsFor: () => flags?.(),
    bundleFor: ({
      sessionId,
      tenantId,
      userId,
    }: {
      readonly sessionId: string;
      readonly tenantId: string;
      readonly userId: string;
    }) => {
      asked.push(sessionId);
      return {
        ...{ policyBundleVersion: `v${asked.length}`, schemaVersion: "1.0", tenantId, userId, sessionId },
        expiresAt: new Date(clock.now() + hours * 3_600_000).toISOString(),
        ...{ capabilities, llmPolicy },
      };
    },
  };
  const governance = { policy, clock, telemetry: (event: TelemetryEvent) => telemetry.push(event), ...options };
  const server = await serverWith(presets, folder, { states: createMemoryStateStore(), ...more, governance });
  const json = async <Answer>(path: string) => (await (await server.get(path)).json()) as Answer;
  const audit = async (id: string) =>
    [
      ...(await json<{ items: readonly GovernedEvent[] }>(`/api/governance/sessions/${id}/audit?limit=200`)).items,
    ].reverse();
  if (server.governance === undefined) throw new Error("The server governs nothing.");
  return { ...server, governance: server.governance, clock, telemetry, asked, json, audit };
}

/** Where laws of governed sessions are shown: a kind of store. */
export interface GovernedWorld {
  /** A store of its own, for servers in this process. */
  open(): Promise<ObjectStore>;
  /** What starts servers, one after the other, on one store that none of them takes with it when it is killed. */
  mortal(): (folder: string, presets: object) => Promise<MortalServer>;
}

export interface MortalServer extends Pick<TestServer, "get" | "post" | "whole"> {
  /** It ends between any two writes. */
  kill(): Promise<void>;
}

export const policyArgs = ["--policy", "policy.json", "--name", "one"] as const;

/** Governed servers on stores of a kind, each on its own where no other is named. */
export const serversIn =
  ({ open }: GovernedWorld) =>
  async (...[presets, folder, parts = {}]: Parameters<typeof governedServer>): Promise<GovernedServer> =>
    governedServer(presets, folder, {
      ...parts,
      server: { ...parts.server, store: parts.server?.store ?? (await open()) },
    });

/** Events until one of a name, and what follows it stays to be read. */
export async function untilCustom<Value>(events: AsyncGenerator<ReadEvent>, name: string): Promise<Value> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error(`The run ended without ${name}.`);
    const { event } = next.value;
    if (event.type === "CUSTOM" && event.name === name) return event.value as Value;
  }
}

export async function rest(events: AsyncGenerator<ReadEvent>): Promise<readonly ReadEvent[]> {
  const left: ReadEvent[] = [];
  for await (const event of events) left.push(event);
  return left;
}

export const answerOf = (server: TestServer, id: string, body: object) =>
  server.post(`/api/governance/approvals/${id}`, body);
