import assert from "node:assert/strict";
import { billedInput, type LogEntry, type Prices } from "@cm/context-log";
import { canonicalJson } from "@cm/object-model";
import { eachMoment, pricesTried } from "../moments.ts";
import type { PolicyLaw } from "../policy-case.ts";
import type { PolicySubject } from "../policy-subject.ts";

const headChars = 4_000;

/** From this request on 2 % alone; before it the carrying of so many calls may be lent, and is paid back until then. */
const settledRequests = 25;
const lentCallsMax = 8;

/** SSOT 4.4 (6): 2 % above what the plain log costs, and before the 25th request what is lent. */
async function staysCheap(subject: PolicySubject, prices: Prices): Promise<void> {
  let managed = 0;
  let plain = 0;
  let plainBefore = 0;
  let requests = 0;
  await eachMoment(subject, { steps: 60, prices, wishes: false }, ({ before, view, prompt }) => {
    if (before === undefined) [managed, plain, plainBefore, requests] = [0, 0, 0, 0];
    const isWarm = before !== undefined && view.cache === "warm";
    const priceOf = (total: number, kept: number): number =>
      billedInput(prices, { total: total + headChars, cached: isWarm ? kept + headChars : 0 });
    const plainChars = view.log.reduce((sum, entry) => sum + plainCharsOf(entry), 0);
    managed += priceOf(prompt.chars, prompt.kept.chars);
    plain += priceOf(plainChars, plainBefore);
    plainBefore = plainChars;
    requests += 1;
    const lent = Math.max(0, Math.min(lentCallsMax, settledRequests - requests));
    const bound = 1.02 * (plain + lent * prices.read * (plainChars + headChars));
    assert.ok(managed <= bound, `It cost ${managed} so far, and may cost ${bound}.`);
  });
}

function plainCharsOf(entry: LogEntry): number {
  if (entry.kind === "user" || entry.kind === "result") return entry.text?.length ?? 0;
  if (entry.kind !== "assistant") return 0;
  return entry.calls.reduce((sum, { args }) => sum + canonicalJson(args).length, entry.text.length);
}

export const cost: readonly PolicyLaw[] = pricesTried.map((prices, place) => ({
  id: `POL-${String(30 + place).padStart(3, "0")}`,
  clause: "SSOT 4.4 (6)",
  title: `From its 25th request on no session is dearer than the plain log by more than 2 %, at read ${prices.read}, write ${prices.write}.`,
  asks: "cost",
  holds: (subject) => staysCheap(subject, prices),
}));
