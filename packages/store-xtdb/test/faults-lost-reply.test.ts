// @module-tag xtdb
// @module-tag long
// Verifies: F4: however often answers are lost, a commit that is repeated under its request id takes place exactly once.
import { createMemoryStore } from "@cm/object-model";
import { createRandom, plannedSeeds } from "@cm/testkit";
import { expect, it } from "vitest";
import { commitAs, randomSchedule, versionsOf } from "./support/fault-schedule.ts";
import { call } from "./support/fault-script.ts";
import { codeOf, withFaultyNode } from "./support/faulty-store.ts";

const title = "take place exactly once";
const commits = 4;
const deadlineMs = 120;
/** 6 schedules, and 1,000 with CM_CAMPAIGN=1. */
const seeds = plannedSeeds({ runs: process.env.CM_CAMPAIGN === "1" ? 100 : 6 });

withFaultyNode("commits whose answers are lost", (node) => {
  it(title, async () => {
    const findings: string[] = [];
    for (const seed of seeds) {
      const found = await runSchedule(seed);
      if (found.length > 0) {
        findings.push(
          `CM_SEED=${seed} npx vitest run packages/store-xtdb/test/faults-lost-reply -t "${title}"`,
          ...found,
        );
      }
    }

    expect(findings).toEqual([]);
  });

  it.each([0, 1, 1, 1, 2])("is not denied when the first request arrives %i requests later", async (heldFor) => {
    const { faulty, clean } = node.open(1_000);
    const document = call("call_a", 1);
    await node.proxy.plan([
      { fault: "late", method: "POST", path: /\/submit-tx$/, heldFor },
      // The store finds that its second transaction was not committed, and cannot ask why.
      { fault: "reset", path: /\/query$/, nth: 2, times: 50 },
    ]);

    const outcome = await faulty.commit([{ document, expect: "absent" }], { requestId: "r" }).then(
      () => "answered",
      (error: unknown) => codeOf(error),
    );
    await node.proxy.plan([]);
    await node.proxy.settled();
    const { versions } = await clean.history("call_a");

    expect(versions).toHaveLength(1);
    expect(outcome).toMatch(/^(answered|store\/unknown-outcome)$/);
    await faulty.close();
    await clean.close();
  });

  /** Gives what is not as it should be. */
  async function runSchedule(seed: number): Promise<readonly string[]> {
    const { faulty, clean } = node.open(deadlineMs);
    const memory = createMemoryStore();
    const [real, model] = [new Map<string, string>(), new Map<string, string>()];
    const findings: string[] = [];
    for (const { requestId, writes: writesOf, plans } of randomSchedule(createRandom(seed), commits)) {
      const before = await versionsOf(memory, model);
      const expected = await commitAs(memory, requestId, writesOf(model), model);
      const writes = writesOf(real);
      const answers: string[] = [];
      let mayBeThere = false;
      for (const plan of plans) {
        await node.proxy.plan(plan);
        const answer = await commitAs(faulty, requestId, writes, real).catch((error: unknown) => codeOf(error));
        if (answer === "store/unknown-outcome") mayBeThere = true;
        else if (answer !== "store/unavailable") answers.push(answer);
        else if (!mayBeThere && answers.length === 0) {
          // What is still on its way has its turn first: nothing was written means nothing will be.
          await node.proxy.plan([]);
          await node.proxy.settled();
          const now = await versionsOf(clean, real);
          if (now.join() !== before.join()) findings.push(`${requestId}: unavailable, but written`, ...now);
        }
      }
      await node.proxy.plan([]);
      answers.push(await commitAs(clean, requestId, writes, real).catch((error: unknown) => codeOf(error)));
      findings.push(...answers.filter((answer) => answer !== expected).map((answer) => `${requestId}: ${answer}`));
    }
    await node.proxy.settled();
    const [found, wanted] = [await versionsOf(clean, real), await versionsOf(memory, model)];
    if (found.join() !== wanted.join()) findings.push("in the end:", ...found, "in place of:", ...wanted);
    await faulty.close();
    await clean.close();
    return findings;
  }
});
