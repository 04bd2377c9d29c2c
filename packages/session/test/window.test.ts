// Verifies: SSOT 4.4 (10), T19: a session's requests keep to a window, and what that forced can be rebuilt.
import { type Layout, messageBytes, type StepRecord, type Usage } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";

const file = "test/window.test.ts";

describe("a session with a bound in bytes", () => {
  it("never sends more, and every request can be rebuilt", async () => {
    await forSeeds({ short: 8, long: 200, file }, async (random) => {
      const store = createMemoryStore({ now: () => 1 });
      const bytesMax = 30_000 + random.below(60_000);
      let session = await opened({ store, window: { bytesMax } });
      await session.receive([user("Begin.")]);

      for (let step = 0; step < 10; step += 1) {
        const prompt = await session.assemble();
        expect(bytesOf(prompt)).toBeLessThanOrEqual(bytesMax);
        await session.record(explosion(random, step, bytesMax));
        if (random.chance(0.2)) {
          const before = snapshot(session);
          await session.abandon();
          session = await opened({ store, window: { bytesMax } });
          expect(snapshot(session)).toEqual(before);
        }
        await wishes(random, session);
      }

      const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
      expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
    });
  });

  it("takes a pin that has no room, and tells the agent once", async () => {
    const store = createMemoryStore({ now: () => 1 });
    const session = await opened({ store });
    await played(session, runs(result("a", "long ".repeat(3_000))));
    await session.command({ action: "pin", id: "t1" });
    await played(session, ...several(3, "short"));

    const prompt = await session.assemble({ window: { bytesMax: 10_000 } });
    await session.record(says("done"));
    await played(session, says("done"));

    expect(prompt.messages.at(-1)?.text).toBe("short\n[cm: the window is full, so no longer pinned: t1]");
    const after = await opened({ store });
    expect(session.view().sets.pinned.size + after.view().sets.pinned.size).toBe(0);
    expect(after.view().log.filter(({ kind }) => kind === "released")).toHaveLength(1);
    expect((await decisionOf(store, 4)).reasons).toMatchObject({ "window: pin released": ["a", "1"] });
  });

  it("brings back what the agent asked for by its ends, where all of it has no room", async () => {
    const session = await opened({ window: { bytesMax: 20_000 } });
    await played(session, runs(result("a", `${"long ".repeat(6_000)}end`)), ...several(4, "short"));
    await session.command({ action: "activate", id: "t1" });

    const [prompt] = await played(session, says("thanks"));

    expect(prompt?.messages.at(-1)?.text).toMatch(
      /^short\n\[cm: brought back here: output of bash a, 30003 characters \(t1\)\]\nlong [^\n]*\n\[cm: \d+ characters left out here; cm_context show t1\]\n[^\n]*end$/,
    );
    expect([...session.view().sets.requested, ...session.view().sets.active]).not.toContain("a");
  });

  it.each(["log", "ssot"] as const)("goes on under layout %s after texts that no window has room for", async (name) => {
    const store = createMemoryStore({ now: () => 1 });
    const session = await opened({ store, layout: layouts[name], window: { bytesMax: 20_000 } });
    const big = "deep ".repeat(20_000);
    const thinking = [{ text: big, signature: "signed" }];
    const asked = (id: string): StepRecord => ({
      answer: answering(call(id, "write", { content: big })),
      results: [result(id, big)],
    });
    await session.receive([user("Begin.")]);

    const prompts = await played(
      session,
      asked("a"),
      { answer: { ...answering(call("b")), thinking }, results: [result("b", "done")] },
      { answer: { ...answering(call("c")), text: big }, results: [result("c", "done")] },
      asked("d"),
    );
    await session.receive([user(big)]);
    prompts.push(...(await played(session, says("thanks"))));

    expect(prompts.filter((prompt) => bytesOf(prompt) > 20_000)).toEqual([]);
    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
    expect(rebuilt.map(({ prompt }) => prompt.messages)).toEqual(prompts.map(({ messages }) => messages));
    expect((await runContextTool(session, { id: "t1.input" })).text).toContain("deep ".repeat(9_000));
  });

  it.each(["log", "ssot"] as const)(
    "refuses under layout %s what may not be left out, and goes on with the next message or in a larger window",
    async (name) => {
      const session = await opened({ layout: layouts[name], window: { bytesMax: 10_000 } });
      const many = Array.from({ length: 100 }, (_, place) => result(`${place} ${"long id ".repeat(20)}`, "done"));
      await session.receive([user("Begin.")]);
      await played(session, runs(...many));

      await expect(session.assemble()).rejects.toMatchObject({
        code: "session/window-exceeded",
        message: expect.stringContaining("Go on with a shorter message"),
        data: { bytesMax: 10_000 },
      });

      await session.assemble({ window: { bytesMax: 100_000 } });
      await session.receive([user("Go on.")]);
      await session.assemble();
      expect((await session.record(says("thanks"))).n).toBe(1);
    },
  );
});

describe("a request with a smaller bound", () => {
  it("folds outputs as far as that goes, is made anew for every wish, and stays folded", async () => {
    const store = createMemoryStore({ now: () => 1 });
    const session = await opened({ store });
    const outputs = ["a", "b", "c"].map((id) => runs(result(id, `${id} `.repeat(5_000))));
    await played(session, ...outputs, says("done ".repeat(1_000)), says("thanks"));
    const before = await session.weigh();
    const wished = await session.weigh({ cache: "cold", foldToBytes: 20_000 });
    const asked = async (foldToBytes?: number) =>
      bytesOf(await session.assemble(foldToBytes === undefined ? {} : { cache: "cold", foldToBytes }));

    const weights = [await asked(), await asked(20_000), await asked(0), await asked(), await asked(0)];
    await session.record(says("folded"));

    const [plain = 0, some = 0, least = 0] = weights;
    expect([before, wished]).toEqual([plain, some]);
    expect(weights).toEqual([plain, some, least, plain, least]);
    expect(plain).toBeGreaterThan(30_000);
    expect(some).toBeLessThanOrEqual(20_000);
    expect(least).toBeGreaterThan(5_000);
    expect(least).toBeLessThan(8_000);
    expect(await asked()).toBeLessThan(8_500);
    expect((await all(rebuildPrompts(store, "s", rendererFor))).map(({ complete }) => complete)).not.toContain(false);
  });

  it("shortens what was said in turns that are over where the agent was told of it, the oldest first", async () => {
    const store = createMemoryStore({ now: () => 1 });
    const session = await opened({ store });
    for (const turn of ["first", "second", "third"]) {
      await session.receive([user(`${turn} asked ${"why ".repeat(1_000)}`)]);
      await played(session, says(`${turn} said ${"so ".repeat(1_000)}`));
    }

    const weighed = await session.weigh({ dialogueToBytes: 9_000 });
    const untold = await session.weigh({ foldToBytes: 9_000 });
    await session.receive([user("Go on.")]);
    const prompt = await session.assemble({ dialogueToBytes: 9_000 });
    await session.record(says("done"));

    expect(untold).toBeGreaterThan(20_000);
    expect(weighed).toBeLessThanOrEqual(9_000);
    expect(bytesOf(prompt)).toBeLessThanOrEqual(9_000);
    expect(prompt.messages.map(({ chars }) => chars > 2_000)).toEqual([false, false, false, false, true, true, false]);
    expect((await all(rebuildPrompts(store, "s", rendererFor))).at(-1)?.prompt.messages).toEqual(prompt.messages);
  });
});

describe("a session with a bound in tokens", () => {
  const tokensMax = 10_000;

  it("goes by an estimate, until the provider counted, then by the worst of the newest requests", async () => {
    const seen: (number | undefined)[] = [];
    const session = await opened({
      window: { tokensMax, answerTokens: 0 },
      layout: telling(seen),
    });
    await session.receive([user("x".repeat(1_000))]);
    for (const tokens of [500, 250, 400, 400, 400, 400]) await counted(session, tokens);
    await session.assemble();

    // 3 bytes a token less a tenth; then 1,000 characters in 500, 250 and 400 tokens less a twentieth.
    expect(seen).toEqual([27_000, 19_000, 19_000, 19_000, 19_000, 23_750, 23_750]);
  });

  it("has the same bound when it is resumed", async () => {
    const store = createMemoryStore({ now: () => 1 });
    const bounds: (number | undefined)[] = [];
    const options = { store, window: { tokensMax }, layout: telling(bounds) };
    const session = await opened(options);
    await session.receive([user("日本".repeat(700))]);
    for (const tokens of [900, 700, 800]) await counted(session, tokens);

    await session.assemble();
    await (await opened(options)).assemble();

    expect(bounds.at(-1)).toBe(bounds.at(-2));
    expect(bounds.at(-1)).toBeGreaterThan(tokensMax);
  });

  it("keeps room for head and answer, and takes the tighter of two bounds", async () => {
    const bounds: (number | undefined)[] = [];
    const session = await opened({
      headChars: 5_000,
      layout: telling(bounds),
    });
    await session.assemble({ window: { tokensMax } });
    await session.assemble({ window: { tokensMax, bytesMax: 9_000 } });
    await session.assemble();

    expect(bounds).toEqual([15_250, 9_000, undefined]);
  });

  it.each([{ bytesMax: -1 }, { tokensMax: 0.5 }, { tokensMax: 9, answerTokens: Number.NaN }])(
    "refuses %j",
    async (window) => {
      const session = await opened({});

      await expect(session.assemble({ window })).rejects.toMatchObject({ code: "session/invalid-input" });
    },
  );
});

/** Decides nothing, and keeps each bound that it was shown. */
const telling = (bounds: (number | undefined)[]): Layout => ({
  ...layouts.log,
  policy: {
    ...layouts.log.policy,
    decide: ({ window }) => {
      bounds.push(window?.bytesMax);
      return {};
    },
  },
});

function opened(options: Partial<OpenSessionOptions>): Promise<Session> {
  return openSession({ store: createMemoryStore(), layout: layouts.log, session: "s", now: () => 1, ...options });
}

const bytesOf = ({ messages }: Awaited<ReturnType<Session["assemble"]>>): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);

async function played(session: Session, ...records: readonly Parameters<Session["record"]>[0][]) {
  const prompts = [];
  for (const record of records) {
    prompts.push(await session.assemble());
    await session.record(record);
  }
  return prompts;
}

const several = (count: number, text: string) =>
  Array.from({ length: count }, (_, place) => runs(result(`${text} ${place}`, text)));

async function counted(session: Session, tokens: number): Promise<void> {
  const usage: Usage = { input: tokens - 2, output: 9, cacheRead: 1, cacheWrite: 1 };
  await session.assemble();
  await session.record({ ...says(""), usage });
}

const lines = ["plain text ", "日本語", "\ud800🙂", "[cm: 2 lines left out; cm_context show t1]\n", "\n\\[cm: it]\n"];

function explosion(random: Random, place: number, bytesMax: number): Parameters<Session["record"]>[0] {
  const text = (share: number): string => random.pick(lines).repeat(random.below(Math.ceil((bytesMax * share) / 10)));
  const results = Array.from({ length: random.below(4) }, (_, n) => result(`c${place}.${n}`, text(0.5)));
  const attachments = random.chance(0.2) ? [{ mime: "image/png", data: new Uint8Array([place]) }] : [];
  const [first, ...others] = results;
  const pictured = first === undefined ? [] : [{ ...first, attachments }];
  return { ...runs(...pictured, ...others), answer: { ...runs(...results).answer, text: text(0.1) } };
}

async function wishes(random: Random, session: Session): Promise<void> {
  const ids = (await session.objects()).map(({ id }) => id);
  for (const action of ["pin", "activate", "deactivate"] as const) {
    if (ids.length > 0 && random.chance(0.3)) await session.command({ action, id: random.pick(ids) });
  }
  if (random.chance(0.3)) await session.receive([user(random.pick(lines).repeat(random.below(2_000)))]);
}

async function decisionOf(store: ObjectStore, n: number) {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`no step ${n}`);
  return document.decision as { readonly reasons?: unknown };
}
