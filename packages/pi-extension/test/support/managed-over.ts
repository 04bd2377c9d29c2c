import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createMemorySource, MemoryWorld } from "@cm/testkit";
import type { Figures } from "../../src/figures/figures.ts";
import type { Health } from "../../src/health.ts";
import { historyOf } from "../../src/managed/history-of.ts";
import type { Managed } from "../../src/managed/managed.ts";

export const healthy: Health = { state: "ok", unwritten: 0 };

export interface ManagedWorld {
  readonly managed: Managed;
  readonly session: Session;
  readonly world: MemoryWorld;
}

/**
 * A real session that read `src/a.ts` (f1, t1), listed `src/b.ts` (f2, t2) and ran a command that failed (t3). `said`
 * replaces what its health, figures and place say.
 */
export async function managedWorld(said: Partial<Managed> = {}): Promise<ManagedWorld> {
  const store = createMemoryStore();
  const world = new MemoryWorld("w");
  world.put("src/a.ts", Buffer.from("export const a = 1;\n"));
  world.put("src/b.ts", Buffer.from("export const b = 2;\n"));
  const sources = [createMemorySource(world)];
  const session = await openSession({ store, sources, layout: layouts.log, rendererFor, session: "s" });
  await session.receive([{ role: "user", text: "Look around." }]);
  await session.assemble();
  await session.record(firstStep);
  return { managed: managedOver(session, store, said), session, world };
}

const bound = (path: string) => ({ type: "memory", world: "w", path });

const firstStep: Parameters<Session["record"]>[0] = {
  answer: {
    role: "assistant",
    text: "",
    calls: [
      { callId: "c1", tool: "read", args: { path: "src/a.ts" } },
      { callId: "c2", tool: "ls", args: { path: "src" } },
      { callId: "c3", tool: "bash", args: { command: "make" } },
    ],
  },
  results: [
    {
      role: "tool",
      callId: "c1",
      text: "export const a = 1;\n",
      failed: false,
      files: [{ binding: bound("src/a.ts"), as: "read", span: { startLine: 1 } }],
    },
    {
      role: "tool",
      callId: "c2",
      text: "b.ts",
      failed: false,
      files: [{ binding: bound("src/b.ts"), as: "discovered" }],
    },
    { role: "tool", callId: "c3", text: "make: no rule", failed: true },
  ],
};

export function managedOver(session: Session, store: ObjectStore, said: Partial<Managed>): Managed {
  const show: Managed["show"] = async (name) =>
    (await session.objects()).find(({ id, alias }) => id === name || alias === name);
  return {
    health: healthy,
    figures: undefined,
    sessionId: "s",
    storePlace: "/agent/context-manager/objects.sqlite",
    command: (command) => session.command(command),
    recall: (id) => session.recall(id),
    list: (query) => session.list(query),
    turn: (turn) => session.turn(turn),
    omittedTurns: (match) => session.omittedTurns(match),
    show,
    history: async (name) => historyOf(store, (await show(name))?.id ?? name),
    inside: async () => ({ view: session.view(), folds: session.folds() }),
    steering: undefined,
    probe: async () => undefined,
    opened: () => session.opened,
    ...said,
  };
}

export const someFigures: Figures = {
  contextTokens: 12_400,
  plainTokens: 42_800,
  isReported: true,
  requests: 34,
  input: { ours: 0.58, plain: 1 },
  dollars: { ours: 0.71, plain: 1.13 },
};

const awayError = new CmError("pi/unavailable", "The database does not answer: it is locked. Try again later.");

/** What everything says while the database is offline. */
export const offline: Partial<Managed> = {
  health: { state: "offline", reason: "it is locked", unwritten: 3 },
  command: () => Promise.reject(awayError),
  recall: () => Promise.reject(awayError),
  list: () => Promise.reject(awayError),
  turn: () => Promise.reject(awayError),
  omittedTurns: () => Promise.reject(awayError),
  show: () => Promise.reject(awayError),
  history: () => Promise.reject(awayError),
  inside: () => Promise.reject(awayError),
  probe: () => Promise.reject(awayError),
};
