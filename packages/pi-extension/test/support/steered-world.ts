import { defaultPrices } from "@cm/context-log";
import { createMemoryStore, type JsonObject } from "@cm/object-model";
import { layouts, noProtection, type Protection, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createMemorySource, MemoryWorld } from "@cm/testkit";
import { SteeredPolicy } from "../../src/managed/steered-policy.ts";
import { Steering } from "../../src/managed/steering.ts";
import type { SessionEntry } from "../../src/pi/pi-types.ts";
import { SessionProtection } from "../../src/protect/session-protection.ts";
import { type CommandWorld, commandWorld } from "./command-world.ts";
import { managedOver } from "./managed-over.ts";

export interface SteeredWorld extends CommandWorld {
  readonly session: Session;
  /** What Pi's file got. */
  readonly entries: SessionEntry[];
  /** A request, and the answer with one call; `path` where it reads a file. */
  call(tool: string, args: JsonObject, text: string, path?: string): Promise<void>;
  say(text: string): Promise<void>;
}

/** A real session under the policy that a person steers, and `/cm` over it. */
export async function steeredWorld(
  bySettings: Protection = noProtection,
  entries: SessionEntry[] = [],
): Promise<SteeredWorld> {
  const append = (customType: string, data: object): void => {
    entries.push({ type: "custom", customType, data, id: `${entries.length}`, parentId: null, timestamp: "" });
  };
  const protection = new SessionProtection(() => bySettings, { append, entries: () => entries });
  const policy = new SteeredPolicy(
    () => "default",
    () => protection.all,
  );
  const store = createMemoryStore();
  const world = new MemoryWorld("w");
  const layout = { ...layouts.log, policy };
  const session = await openSession({ store, sources: [createMemorySource(world)], layout, rendererFor, session: "s" });
  const managed = managedOver(session, store, { steering: new Steering(policy, protection, () => defaultPrices) });
  const say = (text: string): Promise<void> => session.receive([{ role: "user", text }]);
  await say("Begin.");
  let calls = 0;
  return {
    ...commandWorld(managed),
    ...{ session, entries, say },
    async call(tool, args, text, path) {
      const callId = `c${calls++}`;
      if (path !== undefined) world.put(path, Buffer.from(text));
      const binding = { type: "memory", world: "w", path: path ?? "" };
      const files = path === undefined ? [] : [{ binding, as: "read" as const, span: { startLine: 1 } }];
      await session.assemble();
      await session.record({
        answer: { role: "assistant", text: "", calls: [{ callId, tool, args }] },
        results: [{ role: "tool", callId, text, failed: false, files }],
      });
    },
  };
}
