// Verifies: SSOT 4.4 (4), 4.4 (6): where a cut pays, which one is tried next, and credit while nothing was saved.
import { type ContextPolicy, type ContextView, defaultPrices, indexedView, type Prices } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogConstants } from "../../src/policies/context-log/constants.ts";
import { type Cut, payingCuts, possibleCuts } from "../../src/policies/context-log/cut.ts";
import { promptEstimate } from "../../src/policies/context-log/estimate.ts";
import {
  type ContextLogStages,
  contextLogPolicy,
  contextLogPolicyOf,
  contextLogStages,
  settingsOf,
} from "../../src/policies/context-log/policy.ts";
import { partsOf } from "../../src/policies/log-index/log-parts.ts";
import { foldsNothing, lines, Script } from "../support/script.ts";

const usual = contextLogPolicy();
const without = (constants: Partial<ReturnType<typeof contextLogConstants>>): ContextPolicy =>
  contextLogPolicyOf(undefined, { ...contextLogConstants(), ...constants });

/** A session of which nothing was folded, billed for so large a share of the plain log. */
const billed = (script: Script, share: number): ContextView => {
  const view = script.session.view();
  return indexedView({ ...view, ledger: { ...view.ledger, billed: share * view.ledger.plainBilled } });
};

const resultOf = (view: ContextView, callId: string): number =>
  view.log.findIndex((entry) => entry.kind === "result" && entry.callId === callId);

function cutsOf(view: ContextView, prices: Prices, of: typeof possibleCuts | typeof payingCuts): readonly Cut[] {
  const settings = settingsOf({});
  const estimate = promptEstimate(view, partsOf(view), { begins: new Map(), settings });
  return [...of(view, { estimate, prices, settings })];
}

describe("a session that has saved next to nothing", () => {
  /** The call at which the output of a command is cut, where the session was billed such a share so far. */
  const cutAt = (share: number, policy: ContextPolicy = usual): number => {
    const script = new Script(foldsNothing);
    script.call("bash", { command: "make" }, lines(100));
    for (let call = 1; call < 60; call += 1) {
      script.idle(1);
      if (policy.decide(billed(script, share), defaultPrices).fold !== undefined) return call;
    }
    throw new Error("No cut pays.");
  };

  it("has credit for its first small cuts, as if it had paid ten calls' rent", () => {
    expect(cutAt(0.94) - cutAt(0.95)).toBeGreaterThanOrEqual(4);
    expect(cutAt(0.95)).toBe(cutAt(1));
    expect(cutAt(1, without({ creditCalls: 0 }))).toBe(cutAt(0.94));
    const script = new Script(foldsNothing);
    script.call("bash", { command: "make" }, lines(100));
    script.idle(12);
    const gains = [0.95, 0.94].map((share) => cutsOf(billed(script, share), defaultPrices, possibleCuts)[0]);
    const saved = (gains[0]?.from.chars ?? 0) - (gains[0]?.from.part.folded ?? 0);
    expect((gains[0]?.gain ?? 0) - (gains[1]?.gain ?? 0)).toBeCloseTo(10 * 0.1 * saved, 6);
  });

  it("makes small cuts earlier with it, while the guard still refuses the large one", () => {
    const firstCut = (policy: ContextPolicy) => {
      const script = new Script(foldsNothing);
      script.call("bash", { command: "make" }, lines(1_000));
      script.say(lines(1_500, "a long wish"));
      script.idle(30);
      const near = script.call("bash", { command: "test" }, lines(100, "near"));
      for (let call = 1; call < 60; call += 1) {
        script.idle(1);
        const view = billed(script, 1);
        const { fold } = policy.decide(view, defaultPrices);
        if (fold !== undefined) return { call, isNear: fold.cut === resultOf(view, near) };
      }
      throw new Error("No cut is made.");
    };

    const [early, late] = [firstCut(usual), firstCut(without({ creditCalls: 0 }))];

    expect([early.isNear, late.isNear]).toEqual([true, true]);
    expect(early.call).toBeLessThan(late.call);
  });
});

describe("where the guard refuses the best cut", () => {
  const script = new Script(foldsNothing);
  const old = script.call("bash", { command: "make" }, lines(1_000));
  script.say(lines(1_500, "a long wish"));
  const near = script.call("bash", { command: "test" }, lines(100, "near"));
  script.idle(40);

  it("the next best one is tried", () => {
    const view = billed(script, 1);

    expect(cutsOf(view, defaultPrices, payingCuts).map(({ from }) => from.part.at)).toEqual([
      resultOf(view, old),
      resultOf(view, near),
    ]);
    expect(usual.decide(view, defaultPrices).fold).toEqual({ cut: resultOf(view, near), reason: "rent" });
    expect(without({ cutsTried: 1 }).decide(view, defaultPrices).fold).toBeUndefined();
  });

  it("it was refused at the told prices: where reads are as dear as writes, new writing costs nothing more", () => {
    const view = billed(script, 1);

    expect(usual.decide(view, { read: 1, write: 1 }).fold?.cut).toBe(resultOf(view, old));
  });

  it("none other is taken once it allows the best", () => {
    const view = billed(script, 0.5);

    expect(usual.decide(view, defaultPrices).fold?.cut).toBe(resultOf(view, old));
  });
});

describe("where the guard refuses every cut", () => {
  const script = new Script(foldsNothing);
  const name = (line: number): string => `registered_handler_${line} = load_module_${line}(settings_of_${line})`;
  script.call("bash", { command: "make" }, Array.from({ length: 800 }, (_, line) => name(line)).join("\n"));
  script.say(lines(200, "a long wish"));
  script.idle(20);
  // Above each of these shares the guard refuses more.
  const shares = Array.from({ length: 200 }, (_, at) => 0.95 + at / 2_000);
  const partAt = (share: number, triesTighter: boolean) => {
    const view = billed(script, share);
    const { forms } = without({ triesTighter }).decide(view, defaultPrices);
    return forms?.[Object.keys(forms).find((key) => forms[key]?.form === "reference") ?? ""];
  };
  const refused = shares.filter((share) => partAt(share, false) === undefined);

  it("one that keeps fewer names, and no lines, is tried", () => {
    const share = refused.find((one) => partAt(one, true) !== undefined) ?? Number.NaN;
    const usually = partAt(0.95, true);
    const tight = partAt(share, true);

    expect([usually?.form, tight?.form]).toEqual(["reference", "reference"]);
    const namesOf = (form: typeof tight) => (form?.form === "reference" ? (form.names?.length ?? 0) : -1);
    expect(namesOf(tight)).toBeGreaterThan(0);
    expect(tight?.form === "reference" && tight.lines).toBeUndefined();
    expect(usually?.form === "reference" && usually.lines).toBeDefined();
  });

  const decided = (billedShare: number, stages: Partial<ContextLogStages> = {}) => {
    let asked = 0;
    const cuts: typeof contextLogStages.cuts = (...facts) => {
      asked += 1;
      return (stages.cuts ?? contextLogStages.cuts)(...facts);
    };
    const { forms } = contextLogPolicyOf({ ...contextLogStages, cuts }).decide(
      billed(script, billedShare),
      defaultPrices,
    );
    return { asked, forms };
  };

  it("they are made once more for both tries", () => {
    expect(decided(2)).toEqual({ asked: 2, forms: undefined });
  });

  it("none is made again where none paid", () => {
    expect(decided(2, { cuts: () => [] })).toEqual({ asked: 1, forms: undefined });
  });

  it("none is while the session has saved more than a twentieth", () => {
    expect(partAt(0.94, true)).toEqual(partAt(0.94, false));
  });
});

describe("the price of a cut", () => {
  const script = new Script(foldsNothing);
  script.call("bash", { command: "make" }, lines(300));
  script.say(lines(1_000, "a wish"));
  script.call("bash", { command: "test" }, lines(200, "test"));
  script.idle(8);
  const told: readonly Prices[] = [
    { read: 0.1, write: 1 },
    { read: 0.5, write: 1 },
    { read: 1, write: 1 },
  ];

  it.each(told)("is the same where a provider tells read $read, write $write", (prices) => {
    const view = billed(script, 0.9);

    const gains = (of: Prices) => cutsOf(view, of, possibleCuts).map(({ gain }) => gain);
    expect(gains(prices)).toEqual(gains(defaultPrices));
    expect(gains(prices)).toHaveLength(2);
  });
});
