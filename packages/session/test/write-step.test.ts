// Verifies: SSOT 1.4, 3.8: what would break a promise about the sets is not written.
import { emptyState } from "@cm/context-log/state";
import { createMemoryStore } from "@cm/object-model";
import { readHeads } from "@cm/step-log/load";
import { expect, it } from "vitest";
import { FileIndex } from "../src/files/file-index.ts";
import { openSession } from "../src/index.ts";
import { Lease } from "../src/step/contention.ts";
import { writeStep } from "../src/step/step-writer.ts";
import { says } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";

it("A step that would pin what is not in the pool is not written.", async () => {
  const store = createMemoryStore();
  const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
  const prompt = await session.assemble();
  const heads = await readHeads(store, "s");
  if (heads === undefined) throw new Error("There are no heads.");
  const context = {
    client: "test",
    lease: new Lease({ session: "s", owner: "test", leaseMs: 1 }, undefined),
    store,
    state: emptyState("s", 0),
    heads,
    files: new FileIndex(store, []),
    residency: "rendered",
    prices: { read: 0.1, write: 1.25 },
    keyframeEverySteps: 100,
    poolEntriesMax: 1_000,
    systemPromptChanged: false,
  } as const;
  const request = {
    cache: "warm",
    decision: {},
    prompt,
    hash: "0".repeat(64),
    bytesMax: undefined,
    foldToBytes: undefined,
    dialogueToBytes: undefined,
    servedChars: undefined,
    madeAtMs: 0,
    askedAtMs: undefined,
    basis: heads.basis,
    changesBefore: {},
  } as const;
  const { text } = says("done").answer;

  const facts = {
    request,
    amended: [],
    incoming: [],
    observedBefore: [],
    resumed: undefined,
    restored: undefined,
    adopted: [],
    answer: {
      text,
      thinking: [],
      calls: [],
      model: undefined,
      provider: undefined,
      api: undefined,
      stopReason: undefined,
    },
    results: [],
    lateTouches: [],
    attachments: new Map(),
    changesSince: { pinned: { added: ["x"] } },
    redactions: 0,
    usage: undefined,
    recordedAtMs: 0,
  };

  const written = writeStep(context, facts, { checkouts: Promise.resolve(undefined), onCommit: () => {} });

  await expect(written).rejects.toMatchObject({ code: "session/invariant" });
  expect((await store.find({ type: "step" })).versions).toEqual([]);
});
