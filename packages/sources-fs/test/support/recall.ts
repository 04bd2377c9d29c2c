import { createRedactor } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { leaks, listedRules, type MadeSecret, madeSecret, namelessCarriers, namingCarriers } from "./gitleaks.ts";

type Carriers = Readonly<Record<string, (secret: MadeSecret) => string>>;

export interface Recall {
  readonly tried: number;
  readonly found: number;
}

export interface RecallTable {
  readonly secrets: number;
  /** By the rule's id; without a name only where the shape says enough alone. */
  readonly rules: ReadonlyMap<string, { readonly nameless?: Recall; readonly named: Recall }>;
  readonly nameless: ReadonlyMap<string, Recall>;
  readonly named: ReadonlyMap<string, Recall>;
}

export function measureRecall(secrets: number, seed: number): RecallTable {
  const random = createRandom(seed);
  const rules = new Map<string, { nameless?: Recall; named: Recall }>();
  const nameless = new Map<string, Recall>();
  const named = new Map<string, Recall>();
  for (let n = 0; n < secrets; n++) {
    const rule = listedRules[n % listedRules.length] as (typeof listedRules)[number];
    const secret = madeSecret(rule, random);
    const before = rules.get(rule.id);
    rules.set(rule.id, {
      ...(rule.name === undefined ? { nameless: tried(secret, namelessCarriers, nameless, before?.nameless) } : {}),
      named: tried(secret, namingCarriers, named, before?.named),
    });
  }
  return { secrets, rules, nameless, named };
}

const redact = createRedactor();

function tried(secret: MadeSecret, carriers: Carriers, byCarrier: Map<string, Recall>, before?: Recall): Recall {
  let found = 0;
  const all = Object.entries(carriers);
  for (const [name, carry] of all) {
    const one = leaks(redact(carry(secret)).text, secret) ? 0 : 1;
    found += one;
    byCarrier.set(name, sum(byCarrier.get(name), { tried: 1, found: one }));
  }
  return sum(before, { tried: all.length, found });
}

function sum(one: Recall = { tried: 0, found: 0 }, other: Recall = { tried: 0, found: 0 }): Recall {
  return { tried: one.tried + other.tried, found: one.found + other.found };
}

export function total(parts: ReadonlyMap<string, Recall>): Recall {
  return [...parts.values()].reduce((all, one) => sum(all, one));
}

export function share({ tried, found }: Recall): number {
  return found / tried;
}
