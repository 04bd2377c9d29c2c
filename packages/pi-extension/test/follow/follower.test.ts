// Verifies: decision 63: however a branch reaches a session, step by step, in portions, or late, the session is the same.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it, vi } from "vitest";
import type { BranchItem } from "../../src/branch/branch-item.ts";
import { itemsCovered } from "../../src/follow/common-start.ts";
import { Follower } from "../../src/follow/follower.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const file = "packages/pi-extension/test/follow/follower.test.ts";
const redact = (whole: string) => ({ text: whole.replaceAll(/sk-\w+/g, "[redacted:key]"), count: 0 });
const noTouches = async () => [];

const opened = (store: ObjectStore): Promise<Session> =>
  openSession({ store, sources: [], redact, layout: layouts.log, rendererFor, session: "s", now: () => 0 });

async function fresh(): Promise<{
  readonly session: Session;
  readonly follower: Follower;
  readonly store: ObjectStore;
}> {
  const store = createMemoryStore();
  const session = await opened(store);
  return { store, session, follower: new Follower(session, [], { touchesOf: noTouches }) };
}

const logOf = (session: Session) => session.view().log;
const covered = (session: Session, items: readonly BranchItem[]) => itemsCovered(session, items, redact);

/** A branch as models make it: several calls, results that are missing, ids that come again, odd texts. */
function drawnBranch(random: Random): readonly BranchItem[] {
  const messages: PiMessage[] = [];
  const words = () =>
    random.pick(["", "yes", "A=sk-1\nB", "\ud800 half", "x\u0000y", "[erased]", "é\r\nü", "w".repeat(3_000)]);
  for (let turn = 0; turn <= random.below(4); turn += 1) {
    messages.push(userMessage(words()));
    for (let step = 0; step < random.below(4); step += 1) {
      const ids = Array.from({ length: random.below(4) }, (_, place) => `call_${random.below(2) * 9 + place}`);
      messages.push(answerMessage([text(words()), ...[...new Set(ids)].map((id) => call(id, { path: words() }))]));
      const known = [...new Set(ids)].filter(() => random.chance(0.9));
      messages.push(...known.map((id) => resultMessage(id, words(), { isError: random.chance(0.2) })));
    }
  }
  return itemsIn(messages);
}

/** Places where a request of Pi's may be: nothing runs there. */
const requestsIn = (items: readonly BranchItem[]): readonly number[] =>
  items.flatMap(({ kind }, place) => (kind === "answer" ? [place] : []));

describe("a session that follows a branch", () => {
  it("has the same log and makes the same prompts, whether it follows each step or comes late", async () => {
    await forSeeds({ short: 25, long: 1_000, file }, async (random) => {
      const items = drawnBranch(random);
      const [each, late] = [await fresh(), await fresh()];
      const prompts: string[] = [];
      for (const place of requestsIn(items)) {
        await each.follower.follow(items.slice(0, place), { isOver: true });
        prompts.push((await each.follower.assemble({})).messages.map((message) => JSON.stringify(message)).join("\n"));
      }

      await each.follower.follow(items, { isOver: true });
      await late.follower.follow(items, { isOver: true });

      expect(logOf(late.session)).toEqual(logOf(each.session));
      const { lastStep } = each.follower;
      expect(late.follower.lastStep).toBe(lastStep);
      const again = (await late.session.assemble()).messages;
      expect(again).toEqual((await each.session.assemble()).messages);
      for (const [place, prompt] of prompts.entries()) {
        const { messages } = (await late.session.promptAt(place)).prompt;
        expect(messages.map((message) => JSON.stringify(message)).join("\n"), `request ${place}`).toBe(prompt);
      }
    });
  });

  it("is the same where the branch grows in portions, and each is followed as often as you like", async () => {
    await forSeeds({ short: 25, long: 1_000, file }, async (random) => {
      const items = drawnBranch(random);
      const [whole, portions] = [await fresh(), await fresh()];

      for (let end = 0; end < items.length; end += 1 + random.below(3)) {
        await portions.follower.follow(items.slice(0, end), { isOver: false });
        if (random.chance(0.5)) await portions.follower.follow(items.slice(0, end), { isOver: false });
        expect(portions.follower.goesOn(items.slice(0, end))).toBe(true);
      }
      for (let n = 0; n < 2; n += 1) await portions.follower.follow(items, { isOver: true });
      await whole.follower.follow(items, { isOver: true });

      expect(logOf(portions.session)).toEqual(logOf(whole.session));
      expect(portions.follower.behind(items)).toBe(0);
    });
  });

  it("knows its branch again in another process, and goes on from there", async () => {
    await forSeeds({ short: 25, long: 1_000, file }, async (random) => {
      const items = drawnBranch(random);
      const { follower, session, store } = await fresh();
      const end = random.pick([...requestsIn(items), items.length]);
      await follower.follow(items.slice(0, end), { isOver: true });
      await session.close();

      const again = await opened(store);
      const known = covered(again, items);
      if (known === undefined) throw new Error(`Nothing known of ${JSON.stringify(items.slice(0, end))}`);
      const next = new Follower(again, items.slice(0, known), { touchesOf: noTouches });
      await next.follow(items, { isOver: true });

      const whole = await fresh();
      await whole.follower.follow(items, { isOver: true });
      const said = (each: Session) => logOf(each).filter(({ kind }) => kind !== "resumed");
      expect(known).toBe(end);
      expect(said(again)).toHaveLength(said(whole.session).length);
      expect(covered(again, items)).toBe(items.length);
    });
  });

  it("takes in what a failure left out when it is asked again", async () => {
    const items = itemsIn([
      userMessage("go"),
      answerMessage([call("a")]),
      resultMessage("a", "out"),
      answerMessage([]),
    ]);
    const { session } = await fresh();
    let isFailing = true;
    const touchesOf = async () => {
      if (isFailing) throw new Error("planted");
      return [];
    };
    const follower = new Follower(session, [], { touchesOf });

    await expect(follower.follow(items, { isOver: true })).rejects.toThrow("planted");
    isFailing = false;
    await follower.follow(items, { isOver: true });

    expect(logOf(session).map(({ kind }) => kind)).toEqual(["user", "assistant", "result", "assistant"]);
  });
});

describe("a call whose results the session did not see come", () => {
  const branch = itemsIn([userMessage("go"), answerMessage([call("a")]), resultMessage("a", "out")]);

  it("tells of its files that they may be others by now, and a call that was followed live does not", async () => {
    const binding = { type: "filesystem", filesystemId: "here", path: "/a.ts" } as const;
    const isPast = async (isLive: boolean) => {
      const { session } = await fresh();
      const record = vi.spyOn(session, "record");
      const follower = new Follower(session, [], { touchesOf: async () => [[{ binding, as: "read" }]] });
      await follower.follow(branch.slice(0, 1), { isOver: true });
      if (isLive) await follower.assemble({});
      await follower.follow(branch, { isOver: true });
      return record.mock.calls[0]?.[0].results?.[0]?.files?.[0]?.isPast;
    };

    expect([await isPast(true), await isPast(false)]).toEqual([undefined, true]);
  });

  it.each([
    ["interrupted where it ran on no other branch", false, "[cm: this call was interrupted; it may have run]"],
    ["of unknown output where it may have run", true, "[cm: no output of this call is known]"],
  ])("is %s", async (_, mayHaveRun, line) => {
    const { session } = await fresh();
    const follower = new Follower(session, [], { touchesOf: noTouches, mayHaveRun: () => mayHaveRun });

    await follower.follow(branch.slice(0, 2), { isOver: true });

    expect((await follower.assemble({})).messages.at(-1)?.text).toBe(line);
  });
});

describe("where a log and a branch part", () => {
  const begin = [userMessage("go sk-1"), answerMessage([call("a"), call("b")]), resultMessage("a", "out")];

  async function after(messages: readonly PiMessage[]): Promise<Session> {
    const { follower, session } = await fresh();
    await follower.follow(itemsIn(messages), { isOver: true });
    return session;
  }

  it("is nowhere as long as the branch begins with the log, also over results that were lost and redacted text", async () => {
    const session = await after([...begin, answerMessage([text("done")])]);

    const items = itemsIn([...begin, answerMessage([text("done")]), userMessage("more")]);

    expect(covered(session, items)).toBe(4);
  });

  it.each<readonly [string, readonly PiMessage[]]>([
    ["another prompt", [userMessage("stop"), ...begin.slice(1)]],
    ["other calls", [...begin.slice(0, 1), answerMessage([call("a")]), resultMessage("a", "out")]],
    ["an output of a call that has none in the log", [...begin, resultMessage("b", "out")]],
    ["less", begin.slice(0, 1)],
    ["nothing", []],
  ])("is found where the branch says %s", async (_name, messages) => {
    const session = await after(begin);

    expect(covered(session, itemsIn(messages))).toBeUndefined();
  });

  it("is found where an answer without calls says something else", async () => {
    const session = await after([userMessage("go"), answerMessage([text("yes")])]);

    expect(covered(session, itemsIn([userMessage("go"), answerMessage([text("no")])]))).toBeUndefined();
  });

  it("is not where text was erased", async () => {
    const session = await after(begin);
    const erased = logOf(session).map((entry) => (entry.kind === "user" ? { ...entry, text: "[erased]" } : entry));
    const recorded = { recorded: () => erased, view: () => session.view() };

    expect(itemsCovered(recorded, itemsIn(begin), redact)).toBe(3);
  });

  it("is not where an output was erased", async () => {
    const session = await after(begin);

    await session.erase(["t1"], "asked for");

    expect(covered(session, itemsIn(begin))).toBe(3);
  });
});
