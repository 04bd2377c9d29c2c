// @module-tag xtdb
// @module-tag long
// Verifies: F3: whatever happens to any request of a store, nothing is half written, no wrong answer is given for a right
// one, and what an error says of the outcome is true.
import { isDeepStrictEqual } from "node:util";
import { createMemoryStore } from "@cm/object-model";
import { type Fault, faults } from "@cm/testkit";
import { beforeAll, expect, it } from "vitest";
import { script, stateOf, type Tokens } from "./support/fault-script.ts";
import { codeOf, deadlineMsFor, withFaultyNode } from "./support/faulty-store.ts";

/** What each step answers, and the state behind it. */
const expected: { answer: unknown; before: readonly string[]; after: readonly string[] }[] = [];

/** CM_CAMPAIGN=1 asks for every request; else faults take turns, so that of as many requests in a row as there are faults each meets one. */
const campaign = process.env.CM_CAMPAIGN === "1";
const stride = 2 * faults.length;

withFaultyNode("a store through faults", (node) => {
  let requests = 0;

  beforeAll(async () => {
    const memory = createMemoryStore();
    const tokens: Tokens = new Map();
    for (const { run } of script) {
      const before = await stateOf(memory);
      const answer = await run(memory, tokens);
      expected.push({ answer, before, after: await stateOf(memory) });
    }
    expect(await failNth(undefined, 1)).toEqual([]);
    requests = node.proxy.seen.length;
  });

  it.each(faults)("%s at any request", async (fault) => {
    const findings: string[] = [];
    const first = campaign ? 1 : 1 + faults.indexOf(fault);
    for (let nth = first; nth <= requests; nth += campaign ? 1 : stride) findings.push(...(await failNth(fault, nth)));

    expect(requests).toBeGreaterThan(script.length);
    expect(findings).toEqual([]);
  });

  /** Runs the script, with one fault under way. Gives what is not as it should be. */
  async function failNth(fault: Fault | undefined, nth: number): Promise<readonly string[]> {
    const { faulty, clean } = node.open(fault === undefined ? 10_000 : deadlineMsFor(fault));
    const findings: string[] = [];
    const tokens: Tokens = new Map();
    await node.proxy.plan(fault === undefined ? [] : [{ fault, nth }]);
    for (const [place, { name, run }] of script.entries()) {
      const { answer, before = [], after = [] } = expected[place] ?? {};
      const check = (holds: boolean, finding: string): void => {
        if (!holds) findings.push(`request ${nth}, ${name}: ${finding}`);
      };
      const [code, given] = await run(faulty, tokens).then(
        (given) => ["answered", given] as const,
        (error: unknown) => [codeOf(error), undefined] as const,
      );
      if (code === "answered") {
        check(isDeepStrictEqual(given, answer), `answered ${JSON.stringify(given)}`);
        continue;
      }
      check(/^store\/(unavailable|unknown-outcome)$/.test(code), code);
      await node.proxy.plan([]);
      await node.proxy.settled();
      const state = await stateOf(clean);
      const isAsBefore = isDeepStrictEqual(state, before);
      const mayBeAfter = code === "store/unknown-outcome" && isDeepStrictEqual(state, after);
      check(isAsBefore || mayBeAfter, `${code}, and then the store holds\n${state.join("\n")}`);
      const again = await run(clean, tokens);
      check(isDeepStrictEqual(again, answer), `${code}, and then answered ${JSON.stringify(again)}`);
    }
    const state = await stateOf(clean);
    if (!isDeepStrictEqual(state, expected.at(-1)?.after))
      findings.push(`request ${nth}: at the end\n${state.join("\n")}`);
    await faulty.close();
    await clean.close();
    return findings;
  }
});
