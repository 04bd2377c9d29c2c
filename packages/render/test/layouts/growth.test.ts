// @module-tag long
// Verifies: SSOT 4.4 (1), 4.4 (3), 4.4 (8)

import { isDeepStrictEqual } from "node:util";
import { type ContextView, indexedView, isNote, type LogEntry, type PromptMessage } from "@cm/context-log";
import { RecordedSession, type SessionRequest } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { messageContent } from "../../src/layouts/messages/content.ts";
import { layouts } from "../../src/layouts.ts";
import { JudgeMeter } from "../support/judge-meter.ts";
import { createRandom, runSeed, runsOf } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";

const sessions = runsOf(5, 200);

/** One request, and a copy of its view that shares nothing with it, so that nothing kept for the view can be found. */
interface Checked extends SessionRequest {
  readonly copy: () => ContextView;
}

/** Runs every request of some random sessions past a check; asked-for objects and cold caches among them. */
function eachRequest(
  layout: keyof typeof layouts,
  seed: number,
  check: (request: Checked, before?: SessionRequest) => void,
): void {
  for (let run = 0; run < sessions; run += 1) {
    const random = createRandom(seed + run);
    const session = new RecordedSession({ ...layouts[layout], headChars: 4_000 });
    let before: SessionRequest | undefined;
    for (const event of randomSession(random, { steps: 60, hostile: 0.2 })) {
      if (event.kind === "assistant") {
        if (random.chance(0.03)) session.cache = "cold";
        if (random.chance(0.05)) session.requested.add(random.pick(["nobody", ...session.index]));
        const asked = session.view();
        const now = {
          ...asked,
          log: [...asked.log],
          objects: new Map(asked.objects),
          forms: new Map(asked.forms),
          sets: structuredClone(asked.sets),
        };
        const request = session.request();
        check({ ...request, copy: () => indexedView(structuredClone(now)) }, before);
        before = request;
      }
      session.add(event);
    }
  }
}

/** How many messages of the request before must stay: up to the cut of a fold. */
function staying({ decision, view }: SessionRequest, before: SessionRequest): number {
  const cut = decision.fold?.cut ?? Number.POSITIVE_INFINITY;
  const kept = view.log.filter((entry, at) => at < cut && !isNote(entry)).length;
  return Math.min(kept, before.prompt.messages.length);
}

describe.each(["plain", "ssot", "log"] as const)("layout %s over growing sessions", (layout) => {
  const { policy, renderer } = layouts[layout];

  const title = `${layout} decides and renders from a fresh copy as it does after growth`;
  it(title, () => {
    const { seed, replay } = runSeed(title);
    let requests = 0;

    eachRequest(layout, seed, ({ decision, prompt, ...request }) => {
      requests += 1;
      if (requests % 5 !== 0) return;
      const copy = request.copy();
      expect(policy.decide(copy, { read: 0.1, write: 1.25 })).toEqual(decision);
      expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
      if (!isDeepStrictEqual(renderer.render(copy, decision), prompt)) {
        expect.fail(`Request ${copy.step} differs. ${replay}`);
      }
    });
  });

  const counting = `${layout} tells chars and the kept prefix as a second meter counts them`;
  it(counting, () => {
    const { seed } = runSeed(counting);
    let meter = new JudgeMeter();
    let cachedBefore = 0;

    eachRequest(layout, seed, ({ prompt }, before) => {
      if (before === undefined) {
        meter = new JudgeMeter();
        cachedBefore = 0;
      }
      meter.request(prompt.messages);
      expect(prompt.messages.map(({ chars }) => chars)).toEqual(prompt.messages.map((m) => messageContent(m).length));
      expect(prompt.chars).toBe(prompt.messages.reduce((sum, { chars }) => sum + chars, 0));
      expect(prompt.kept.chars).toBe(meter.cached - cachedBefore);
      cachedBefore = meter.cached;
    });
  });

  const ids = `${layout} never gives one id to two texts`;
  it(ids, () => {
    const { seed } = runSeed(ids);
    let seen = new Map<string, string>();
    let checked = new Set<PromptMessage>();

    eachRequest(layout, seed, ({ prompt }, before) => {
      if (before === undefined) seen = new Map();
      // The very same message was looked at in the request before.
      for (const message of prompt.messages.filter((one) => !checked.has(one))) {
        const content = messageContent(message);
        expect(seen.get(message.id) ?? content).toBe(content);
        seen.set(message.id, content);
      }
      checked = new Set(prompt.messages);
    });
  });
});

describe("layout log", () => {
  const prefix = "log changes no sent message outside a fold, and none before its cut";
  it(prefix, () => {
    const { seed } = runSeed(prefix);
    let folds = 0;

    eachRequest("log", seed, (request, before) => {
      if (before === undefined) return;
      const stays = staying(request, before);
      if (request.decision.fold !== undefined) folds += 1;
      expect(request.prompt.kept.messages).toBe(stays);
      for (let place = 0; place < stays; place += 1) {
        const now = request.prompt.messages[place];
        if (now !== before.prompt.messages[place]) expect.fail(`Message ${now?.id} was made anew.`);
      }
    });

    expect(folds).toBeGreaterThan(sessions);
  });

  /** Of the turn that lasts, by SSOT 4.4 (5). */
  const newestCalls = 10;

  const pairs =
    "log keeps every message, call and pair in its place, and never touches what was said; thinking goes with arguments of past turns";
  it(pairs, () => {
    const { seed } = runSeed(pairs);
    const checked = new WeakMap<PromptMessage, LogEntry>();
    let thoughtless = 0;

    eachRequest("log", seed, ({ view, prompt }) => {
      const spoken = view.log.filter((entry) => !isNote(entry));
      expect(prompt.messages).toHaveLength(spoken.length);
      prompt.messages.forEach((message, at) => {
        const entry = spoken[at];
        if (entry === undefined || checked.get(message) === entry) return;
        checked.set(message, entry);
        if (entry.kind === "assistant") {
          expect(message.role).toBe("assistant");
          expect(message.text).toBe(entry.text);
          expect((message.calls ?? []).map(({ callId, tool }) => [callId, tool])).toEqual(
            entry.calls.map(({ callId, tool }) => [callId, tool]),
          );
          const isWhole = isDeepStrictEqual(message.calls ?? [], entry.calls.map(withoutOurs));
          // Of a long turn older calls are cut as those of past turns are, but not beside thinking.
          const isNew = entry.thinking.length > 0 || entry.step + newestCalls > view.step;
          if (entry.turn === view.turn && isNew) expect(isWhole).toBe(true);
          expect(message.thinking ?? []).toEqual(isWhole ? entry.thinking : []);
          if (!isWhole && entry.thinking.length > 0) thoughtless += 1;
        }
        if (entry.kind === "result") expect(message).toMatchObject({ role: "tool", callId: entry.callId });
        if (entry.kind === "user") expect(message.role).toBe("user");
      });
    });

    expect(thoughtless).toBeGreaterThan(0);
  });
});

const withoutOurs = ({ callId, tool, args }: { callId: string; tool: string; args: unknown }): unknown => ({
  callId,
  tool,
  args,
});
