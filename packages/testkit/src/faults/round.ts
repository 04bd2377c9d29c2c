import { limits } from "../limits.ts";
import { type Fault, type FaultRule, faults, keepsRequest, needsReply, type SeenRequest } from "./fault.ts";

/** A request that is on its way, and the planned fault for it. */
export interface PlannedRequest {
  readonly seen: { -readonly [Key in keyof SeenRequest]: SeenRequest[Key] };
  readonly fault: Fault | undefined;
  readonly forward: boolean;
  /** Resolves when the time has come to forward a request that is late. */
  readonly held: Promise<void>;
}

/** One plan and the requests that came under it. It knows no sockets. */
export class Round {
  readonly seen: SeenRequest[] = [];
  readonly #rules: readonly { readonly rule: FaultRule; matched: number }[];
  #count = 0;
  #answered = 0;
  #over = false;
  readonly #held = new Set<{ readonly from: number; readonly release: () => void }>();

  /** @throws TypeError for a rule that cannot be kept */
  constructor(rules: readonly FaultRule[]) {
    if (rules.length > limits.faultRulesMax) throw new TypeError(`A plan has at most ${limits.faultRulesMax} rules.`);
    for (const rule of rules) checkRule(rule);
    this.#rules = rules.map((rule) => ({ rule, matched: 0 }));
  }

  /** Counts a request and says what happens to it. */
  next(method: string, target: string): PlannedRequest {
    const { path, query } = partsOf(target);
    this.#count += 1;
    const rule = this.#ruleFor(method, path);
    const fault = rule?.fault;
    const seen = { n: this.#count, method, path, query, fault, forwarded: false, targetStatus: undefined };
    this.seen.push(seen);
    if (this.seen.length > limits.seenRequestsMax) this.seen.shift();
    const forward = fault === undefined || (!keepsRequest.has(fault) && rule?.forward !== false);
    return { seen, fault, forward, held: this.#hold(rule) };
  }

  /** Another request has had its answer, whichever that was. */
  answered(): void {
    this.#answered += 1;
    this.#release();
  }

  /** The next round begins. */
  end(): void {
    this.#over = true;
    this.#release();
  }

  /** True when the next request will be refused, whichever it is: then no server should listen for it. */
  get refusesNext(): boolean {
    return this.#rules.some(
      ({ rule: { fault, nth = 1, method, path }, matched }) =>
        fault === "refused" && method === undefined && path === undefined && matched + 1 >= nth,
    );
  }

  #hold(rule: FaultRule | undefined): Promise<void> {
    if (rule?.fault !== "late") return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.add({ from: this.#answered + (rule.heldFor ?? 0), release: resolve });
    this.#release();
    return promise;
  }

  #release(): void {
    for (const waiting of this.#held) {
      if (!this.#over && this.#answered < waiting.from) continue;
      this.#held.delete(waiting);
      waiting.release();
    }
  }

  #ruleFor(method: string, path: string): FaultRule | undefined {
    let found: FaultRule | undefined;
    // Every rule counts every request of its own, also when an earlier rule takes the request.
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (rule.method !== undefined && rule.method !== method) continue;
      if (rule.path !== undefined && !matches(path, rule.path)) continue;
      entry.matched += 1;
      const { nth = 1, times = 1 } = rule;
      if (entry.matched >= nth && entry.matched < nth + times) found ??= rule;
    }
    return found;
  }
}

function partsOf(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function matches(path: string, wanted: string | RegExp): boolean {
  // `search` starts at the beginning each time; `test` of a global expression would not.
  return typeof wanted === "string" ? wanted === path : path.search(wanted) !== -1;
}

function checkRule({ fault, nth = 1, times = 1, forward, heldFor = 0 }: FaultRule): void {
  if (!faults.includes(fault))
    throw new TypeError(`There is no fault "${fault}"; the faults are ${faults.join(", ")}.`);
  if (!Number.isSafeInteger(nth) || nth < 1) throw new TypeError("nth is a whole number from 1.");
  if (!(times >= 1) || (times !== Number.POSITIVE_INFINITY && !Number.isSafeInteger(times))) {
    throw new TypeError("times is a whole number from 1, or Infinity.");
  }
  if (!Number.isSafeInteger(heldFor) || heldFor < 0) throw new TypeError("heldFor is a whole number from 0.");
  if (forward === false && needsReply.has(fault)) throw new TypeError(`${fault} needs the target's reply: forward it.`);
  if (forward === true && keepsRequest.has(fault)) throw new TypeError(`${fault} forwards nothing.`);
}
