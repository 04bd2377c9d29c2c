// @module-tag long
import { defaultPrices } from "@cm/context-log";
import { CmError, createMemoryStore, type FilesystemBinding, type ObjectStore, type Source } from "@cm/object-model";
import { afterEach, describe, expect, it } from "vitest";
import { ManagedSession, type ManagedSessionOptions } from "../../src/managed/managed-session.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { Branch } from "../support/branch.ts";
import { foldedLayout } from "../support/folded-layout.ts";

/** Outputs of which nothing that is long may go out raw once it was managed. */
const output = (n: number): string => `output ${n} [redacted:none]\n`.repeat(1_000);
const requests = 13;
const faultyRequests = 2;

const binding: FilesystemBinding = { type: "filesystem", filesystemId: "f".repeat(64), path: "/a.ts" };

/** A file system in which every file says the same. */
const files: Source<FilesystemBinding> = {
  contract: "source/1",
  type: "filesystem",
  parseBinding: () => binding,
  describe: ({ filesystemId: namespace, path }) => ({ namespace, path, display: path }),
  observe: async (asked) =>
    asked.map(() => ({ kind: "present", sourceHash: "1", content: { text: "text" }, state: { sourceHash: "1" } })),
};

/** Throws while it is on. */
class Fault {
  on = false;
  reached = 0;
  check(error: Error): void {
    if (!this.on) return;
    this.reached += 1;
    throw error;
  }
}

type Parts = Pick<ManagedSessionOptions, "openStore" | "sessionOptions" | "side" | "redact">;

const storeErrors = ["store/unavailable", "store/unknown-outcome", "store/conflict", "store/corrupt"] as const;

/** Where our part of a request can break: each makes the parts of a session with the fault in one of them. */
const points: Readonly<Record<string, (fault: Fault, parts: Parts) => Parts>> = {
  "the store reads": (fault, parts) => withStore(parts, (store) => ({ getMany: checked(fault, store.getMany) })),
  "the store commits": (fault, parts) => withStore(parts, (store) => ({ commit: checked(fault, store.commit) })),
  ...Object.fromEntries(
    storeErrors.map((code) => [
      `the store commits (${code})`,
      (fault: Fault, parts: Parts) =>
        withStore(parts, (store) => ({
          commit: checked(fault, store.commit, new CmError(code, "planted", { ids: [] })),
        })),
    ]),
  ),
  "the store is opened": (fault, parts) => ({ ...parts, openStore: checked(fault, parts.openStore) }),
  "the options": (fault, parts) => ({ ...parts, sessionOptions: checked(fault, parts.sessionOptions) }),
  "the renderer": (fault, parts) =>
    withLayout(parts, { renderer: { ...foldedLayout.renderer, render: checked(fault, foldedLayout.renderer.render) } }),
  "the policy": (fault, parts) =>
    withLayout(parts, { policy: { ...foldedLayout.policy, decide: checked(fault, foldedLayout.policy.decide) } }),
  "the touches": (fault, parts) => withLine(parts, { touchesOf: checked(fault, async () => []) }),
  "the source observes": (fault, parts) =>
    withLine(parts, { sources: [{ ...files, observe: checked(fault, files.observe) }] }),
  "the source describes": (fault, parts) =>
    withLine(parts, { sources: [{ ...files, describe: checked(fault, files.describe) }] }),
  "the source parses": (fault, parts) =>
    withLine(parts, { sources: [{ ...files, parseBinding: checked(fault, files.parseBinding) }] }),
  "the redactor": (fault, parts) => withLine(parts, { redact: checked(fault, plain) }),
  "the redactor of what goes out": (fault, parts) => ({ ...parts, redact: checked(fault, plain) }),
  "the system prompt": (fault, parts) => withSide(fault, parts, "systemPrompt"),
  "appending an entry": (fault, parts) => withSide(fault, parts, "append"),
  "the branch": (fault, parts) => withSide(fault, parts, "branch"),
  "the leaf": (fault, parts) => withSide(fault, parts, "leaf"),
  "the status": (fault, parts) => withSide(fault, parts, "changed"),
};

const sessions: ManagedSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

describe.each(Object.keys(points))("a fault where %s", (point) => {
  let reached = 0;

  it.each([0, 1, 4, 8, 11])(
    "at request %i on gives the last good prompt or a small one, never raw history",
    async (at) => {
      const fault = new Fault();
      const branch = new Branch();
      const parts = points[point]?.(fault, healthy(branch));
      if (parts === undefined) throw new Error(point);
      fault.on = at === 0;
      const session = new ManagedSession({ ...parts, storePlace: "memory" });
      sessions.push(session);
      branch.ask("begin");
      for (let n = 0; n < requests; n += 1) {
        fault.on = n >= at && n < at + faultyRequests;

        const sent = await session.messagesFor(branch.messages, {});

        expect(rawOutputs(sent), `request ${n}`).toBeLessThanOrEqual(faultyRequests);
        expect(callsAndResults(sent), `request ${n}`).toEqual(callsAndResults(branch.messages));
        branch.call(`call_${n}`, { path: `file-${n}.ts`, output: output(n) });
      }
      fault.on = false;
      reached += fault.reached;
      expect(rawOutputs(await session.messagesFor(branch.messages, {})), "when it is over").toBe(0);
    },
  );

  it("was met", () => {
    expect(reached).toBeGreaterThan(0);
  });
});

/** Results that say exactly what the tool said: ours are lines of ours. */
function rawOutputs(messages: readonly PiMessage[]): number {
  return messages.filter((message) => message.role === "toolResult" && /^output/.test(textOf(message))).length;
}

function textOf({ content }: Extract<PiMessage, { role: "toolResult" }>): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function callsAndResults(messages: readonly PiMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === "toolResult") return [`result ${message.toolCallId}`];
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => (block.type === "toolCall" ? [`call ${block.id}`] : []));
  });
}

function healthy(branch: Branch): Parts {
  return {
    side: branch.side(),
    redact: plain,
    openStore: async () => ({
      ...{ store: createMemoryStore(), state: () => ({ queued: 0 }), isThere: async () => true, close: async () => {} },
    }),
    sessionOptions: () => ({
      ...{ sources: [], redact: plain, layout: foldedLayout, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async () => [[{ binding, as: "read" }]],
    }),
  };
}

const plain = (text: string) => ({ text, count: 0 });

/** The function, but for the time of the fault. */
function checked<Args extends readonly unknown[], Answer>(
  fault: Fault,
  call: (...args: Args) => Answer,
  error = new Error("planted"),
): (...args: Args) => Answer {
  return (...args) => {
    fault.check(error);
    return call(...args);
  };
}

function withStore(parts: Parts, changed: (store: ObjectStore) => Partial<ObjectStore>): Parts {
  return {
    ...parts,
    async openStore(watch) {
      const opened = await parts.openStore(watch);
      const { contract, getMany, commit, history, find, erase } = opened.store;
      const whole = { contract, getMany, commit, history, find, erase };
      const bound = Object.fromEntries(
        Object.entries(whole).map(([name, part]) => [
          name,
          typeof part === "function" ? part.bind(opened.store) : part,
        ]),
      );
      return { ...opened, store: { ...whole, ...bound, ...changed({ ...whole, ...bound }) } };
    },
  };
}

type LineParts = ReturnType<Parts["sessionOptions"]>;

const withLine = (parts: Parts, changed: Partial<LineParts>): Parts => ({
  ...parts,
  sessionOptions: () => ({ ...parts.sessionOptions(), ...changed }),
});

const withLayout = (parts: Parts, changed: Partial<typeof foldedLayout>): Parts =>
  withLine(parts, { layout: { ...foldedLayout, ...changed } });

function withSide(
  fault: Fault,
  parts: Parts,
  name: "systemPrompt" | "headChars" | "append" | "changed" | "branch" | "leaf",
): Parts {
  return { ...parts, side: { ...parts.side, [name]: checked<readonly never[], unknown>(fault, parts.side[name]) } };
}
