// Verifies: every bound of this package holds at its value and one beside it (T10).
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { createMemoryStateStore, type Lineage, lineageLimits, lineageTypes, openLineage } from "../src/index.ts";
import { committed, refused, World } from "./support/world.ts";

const letters = (count: number): string => "x".repeat(count);
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const list = (count: number, prefix = "/p") => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

type Use = (lineage: Lineage, amount: number, world: World) => Promise<unknown> | unknown;

const started = async (lineage: Lineage) => (await lineage.root({ input: "x" })).session_id;
const noUsage = { total_tokens: 0, prompt_tokens: 0, completion_tokens: 0, model_requests: 0 };

/** What reaches each bound exactly with `amount`. Those that refuse nothing, or of a size for no test, are below. */
const reached: Partial<Record<keyof typeof lineageLimits, Use>> = {
  titleCharsMax: (lineage, amount) => lineage.root({ input: "x", title: letters(amount) }),
  nameCharsMax: (lineage, amount) => lineage.root({ input: "x", presetId: letters(amount) }),
  // The quotes and braces around the text.
  metadataBytesMax: (lineage, amount) => lineage.root({ input: "x", metadata: { a: letters(amount - 8) } }),
  // The object itself counts, too.
  metadataMembersMax: (lineage, amount) => lineage.root({ input: "x", metadata: members(amount - 1) }),
  inputBytesMax: (lineage, amount) => lineage.root({ input: letters(amount - 2) }),
  outputBytesMax: async (lineage, amount) =>
    lineage.commit(await started(lineage), committed({ output: letters(amount) })),
  projectsMax: (lineage, amount) => lineage.root({ input: "x", environment: { projects: list(amount) } }),
  projectCharsMax: (lineage, amount) => lineage.root({ input: "x", environment: { projects: [letters(amount)] } }),
  pendingCallsMax: async (lineage, amount) => {
    const pending = list(amount).map((tool_call_id) => ({ tool_call_id, kind: "call" as const }));
    return lineage.commit(await started(lineage), committed({ status: "awaiting_tool_results", pending }));
  },
  modelsMax: async (lineage, amount) => {
    const usage = Object.fromEntries(list(amount).map((model) => [model, noUsage]));
    return lineage.commit(await started(lineage), committed({ usage }));
  },
  pageRowsMax: (lineage, amount) => lineage.conversations({ limit: amount }),
  steeringBytesMax: async (lineage, amount) => {
    const id = await started(lineage);
    const hands = { conversationId: id, sessionType: "agent", interrupt: () => {}, steer: () => {} } as const;
    lineage.registry.attach(id, hands);
    return lineage.registry.steer(id, { id: "m", text: letters(amount) });
  },
  steeringIdsMax: async (lineage, amount) => {
    const id = await started(lineage);
    const hands = { conversationId: id, sessionType: "agent", interrupt: () => {}, steer: () => {} } as const;
    lineage.registry.attach(id, hands);
    for (let n = 0; n < amount; n += 1) lineage.registry.steer(id, { id: `m${n}`, text: "x" });
  },
  displayBytesMax: (_lineage, amount, { states }) => states.writeDisplay("run", [letters(amount - 4) as never]),
  addressCharsMax: (lineage, amount) => lineage.announce(letters(amount)),
  leaseMsMax: (_lineage, amount, world) => world.open({ leaseMs: amount }),
};

describe("bounds", () => {
  it.each(Object.entries(reached))("%s holds at its value and refuses one more", async (name, use) => {
    const bound = lineageLimits[name as keyof typeof lineageLimits];
    const fresh = async () => {
      const world = new World(createMemoryStore({ types: lineageTypes }));
      return { world, lineage: await world.open() };
    };
    const fits = await fresh();
    const passes = await fresh();

    await use(fits.lineage, bound, fits.world);
    const error = await refused(async () => use(passes.lineage, bound + 1, passes.world), "lineage/limit");

    expect(error.data).toMatchObject({ limit: name, actual: bound + 1, bound });
  });

  it("of ids and of the shortest lease hold", async () => {
    const world = new World(createMemoryStore({ types: lineageTypes }));
    const lineage = await world.open();

    expect((await lineage.root({ id: letters(lineageLimits.idCharsMax), input: "x" })).session_id).toHaveLength(100);
    await refused(lineage.root({ id: letters(lineageLimits.idCharsMax + 1), input: "x" }), "lineage/invalid");
    await world.open({ leaseMs: lineageLimits.leaseMsMin });
    await refused(world.open({ leaseMs: lineageLimits.leaseMsMin - 1 }), "lineage/limit");
    await refused(world.open({ leaseMs: Number.NaN }), "lineage/limit");
  });

  it("of what a schema does not take are refusals that name the field, without its value", async () => {
    const world = new World(createMemoryStore({ types: lineageTypes }));
    const lineage = await world.open();
    const usage = { model: { ...noUsage, total_tokens: -1 } };

    const wrong = await refused(lineage.commit(await started(lineage), committed({ usage })), "lineage/invalid");
    await refused(lineage.root({ input: [{ type: "text", text: "secret", n: Number.NaN }] }), "lineage/invalid");

    expect(wrong.message).toContain("run_summary");
  });

  it("of a store that was opened without the types of this package are said when it is opened", async () => {
    const opening = openLineage({ store: createMemoryStore(), states: createMemoryStateStore() });

    await expect(opening).rejects.toMatchObject({ code: "store/invalid-document" });
  });
});
