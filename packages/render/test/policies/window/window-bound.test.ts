// @module-tag long
// Verifies: SSOT 4.4 (10), T19: a request has a hard bound in bytes, and what gives way for it is listed.
import {
  appendedEntries,
  type ContextView,
  defaultPrices,
  indexedView,
  type LogEntry,
  messageBytes,
  type PartForm,
  type PromptDecision,
  placeOfPart,
} from "@cm/context-log";
import { defined } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { forSeeds, RecordedSession, type SessionRequest } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { layouts } from "../../../src/index.ts";
import { messagePlace } from "../../../src/layouts/log/log-places.ts";
import type { Random } from "../../support/random.ts";
import { adversarialStep, adversarialWishes } from "./adversary.ts";

const file = "test/policies/window/window-bound.test.ts";
const found = [
  { seed: 100_297, found: "a text that repeats one that leaves became a reference, and no reason told" },
  { seed: 500_247, found: "the line about what left moved, and the prompt was said to change behind its old place" },
];

describe("a window under layout log", () => {
  it("is never exceeded, and every drop is listed", async () => {
    await forSeeds({ short: 10, long: 1_000, file, found }, async (random) => {
      const bytesMax = 30_000 + random.below(100_000);

      for (const request of adversarialSession(random, bytesMax)) {
        expect(bytesOf(request)).toBeLessThanOrEqual(bytesMax);
        expect(unlisted(request)).toEqual([]);
        expect(brokenPairs(request)).toEqual([]);
        expect(linesAboutWhatLeft(request)).toBe(hasLeft(request) ? 1 : 0);
        if (request.copy !== undefined)
          expect(layouts.log.policy.decide(request.copy, defaultPrices)).toEqual(request.decision);
      }
    });
  });
});

/** Every request of a session whose texts alone are many times what fits. */
function* adversarialSession(random: Random, bytesMax: number): Generator<Bounded> {
  const session = new RecordedSession({ ...layouts.log, window: { bytesMax } });
  session.add({ kind: "user", text: "Begin." });
  for (let step = 0; step < 12; step += 1) {
    adversarialWishes(random, session);
    if (random.chance(0.1)) session.cache = "cold";
    const { window: _window, ...free } = session.view();
    const wanted = layouts.log.policy.decide(free, defaultPrices);
    const copy = random.chance(0.1) ? copyOf(session.view()) : undefined;
    yield { ...session.request(), wanted, copy };
    for (const event of adversarialStep(random, step, bytesMax / 3)) session.add(event);
  }
}

/** Entries that left are read from rows, which no copy takes along. */
function copyOf(view: ContextView): ContextView {
  const log = view.log.map((entry): LogEntry => {
    if (entry.kind !== "omitted") return entry;
    const { kind, was, at, step, turn, chars, callId, tool, object } = entry;
    return { kind, was, at, step, turn, chars, ...defined({ callId, tool, object }) };
  });
  return indexedView(structuredClone({ ...view, log }));
}

interface Bounded extends SessionRequest {
  /** What the policy decides where nothing bounds it. */
  readonly wanted: PromptDecision;
  /** Of the view, that shares nothing with it, so that nothing kept for the view can be found. */
  readonly copy: ContextView | undefined;
}

const bytesOf = ({ prompt }: SessionRequest): number =>
  prompt.messages.reduce((sum, one) => sum + messageBytes(one), 0);

/** What the window changed in the decision, and no reason tells. */
function unlisted({ view, wanted, decision, prompt }: Bounded): readonly string[] {
  const listed = new Set(Object.values(decision.reasons ?? {}).flat());
  const forms = Object.entries(decision.forms ?? {}).filter(([part, form]) => !isSame(wanted.forms?.[part], form));
  const kept = new Set((decision.recall ?? []).map(({ object }) => object));
  const recalls = (wanted.recall ?? []).flatMap(({ object }) => (kept.has(object) ? [] : [object]));
  const now = new Set(prompt.messages.map(({ id }) => id));
  const changed = (view.sent?.messages ?? []).flatMap(({ id }) => (now.has(id) ? [] : [Number.parseInt(id, 10)]));
  const told = appendedEntries(view, decision).map(({ into }) => into);
  const omitted = omittedIn(decision);
  const silent = view.log.flatMap(({ at, kind }) =>
    omitted.has(at) && (kind === "user" || kind === "assistant") && !listed.has(`${at}`) ? [`${at} left`] : [],
  );
  const before = new Set(view.log.flatMap(({ at, kind }) => (kind === "omitted" ? [at] : [])));
  const formed = new Set([
    firstBehind(before, view),
    firstBehind(omitted, view),
    ...omitted,
    ...Object.keys(decision.forms ?? {}).map((part) => messagePlace(view.log, part)),
    ...told,
  ]);
  return [
    ...silent,
    ...[...forms.map(([part]) => part), ...recalls, ...(decision.release ?? [])].filter((name) => !listed.has(name)),
    ...changed.filter((at) => !formed.has(at) || at < (decision.fold?.cut ?? at + 1)).map(String),
  ];
}

/** Places that leave with a decision. */
const omittedIn = ({ omit = [] }: PromptDecision): ReadonlySet<number> =>
  new Set(omit.flatMap(([from, to]) => Array.from({ length: to - from }, (_, place) => from + place)));

/** The result or prompt that says what left; what left before is said by another where more leaves behind it. */
const firstBehind = (omitted: ReadonlySet<number>, { log }: ContextView): number =>
  log.find(({ at, kind }) => (kind === "result" || kind === "user") && !omitted.has(at) && at > Math.max(...omitted))
    ?.at ?? -1;

const isSame = (one: PartForm | undefined, other: PartForm): boolean => JSON.stringify(one) === JSON.stringify(other);

const hasLeft = ({ view, decision }: Bounded): boolean =>
  decision.omit !== undefined || view.log.some(({ kind }) => kind === "omitted");

const linesAboutWhatLeft = ({ prompt }: Bounded): number =>
  parse(prompt).filter((block) => block.kind === "notice" && block.notice.kind === "earlier").length;

/** Places where ids, roles or order differ from the log. */
function brokenPairs({ view, decision, prompt }: SessionRequest): readonly string[] {
  const omitted = omittedIn(decision);
  const formed = new Set([...view.forms.keys(), ...Object.keys(decision.forms ?? {})].map(placeOfPart));
  const messages = new Map(prompt.messages.map((message) => [Number.parseInt(message.id, 10), message]));
  return view.log.flatMap((entry) => {
    const message = messages.get(entry.at);
    if (omitted.has(entry.at)) return message === undefined ? [] : [`${entry.at} is still there`];
    if (entry.kind === "result" && message?.callId !== entry.callId) return [`${entry.at}`];
    if (entry.kind !== "assistant") return [];
    const ids = (message?.calls ?? []).map(({ callId, tool }) => `${callId} ${tool}`);
    const isKept = formed.has(entry.at) || (message?.thinking?.length ?? 0) === entry.thinking.length;
    return isKept && ids.join() === entry.calls.map(({ callId, tool }) => `${callId} ${tool}`).join()
      ? []
      : [`${entry.at}`];
  });
}
