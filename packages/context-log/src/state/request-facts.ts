import type { DocumentOf, JsonValue } from "@cm/object-model";
import type { Usage } from "../harness.ts";
import type { PromptDecision } from "../view.ts";
import { foldOf } from "./folds.ts";

/** What a step says of its request, without a text. Sizes are UTF-16 units of messages, times milliseconds since the epoch. */
export interface RequestFacts {
  /** From 0. */
  readonly turn: number;
  /** When it was made; where no step says so, when it was recorded. */
  readonly atMs: number;
  readonly recordedAtMs: number;
  /** The model that answered; undefined where the harness did not say. */
  readonly model: string | undefined;
  /** Calls of its answer. */
  readonly calls: number;
  readonly layout: string;
  readonly chars: number;
  /** How much stood at its start in the request before, and how much of that the provider's cache could serve. */
  readonly keptChars: number;
  readonly servedChars: number;
  /** `cold`: the cache had nothing of it, as the session was told. */
  readonly cache: "warm" | "cold";
  /** As the provider counted; undefined where it did not say. */
  readonly usage: Usage | undefined;
  /** Undefined where no text was folded or cut with it. */
  readonly fold: RequestFold | undefined;
  /** The policy's reasons by their names, each with the number of parts or objects that it holds for. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Objects that were brought back with it, and pins that the window took. */
  readonly recalls: readonly string[];
  readonly releases: readonly string[];
  /** Messages that left the prompt as a whole with it. */
  readonly omitted: number;
  /** Messages that others changed before it, and secrets taken out of its texts. */
  readonly amended: number;
  readonly redactions: number;
  /** It is the first one after the session was resumed, and something had changed. */
  readonly resumed: boolean;
}

/** A request that an open session remembers until its next keyframe names it. */
export interface RememberedRequest {
  readonly facts: RequestFacts;
  /** Length of the plain log at the request, in UTF-16 units. */
  readonly plainChars: number;
}

export interface RequestFold {
  /** From which entry of the log on sent text was rewritten, and why, as the policy called it; undefined where only new text was cut. */
  readonly cut: number | undefined;
  readonly cause: string | undefined;
  /** Texts that no longer stand in full. */
  readonly parts: number;
}

export function requestFacts(document: DocumentOf<"step">): RequestFacts {
  const decision = document.decision as PromptDecision;
  const { recall = [], release = [], omit = [] } = decision;
  const answer = document.messages.findLast((message) => message.role === "assistant");
  return {
    turn: document.turn,
    atMs: document.requested_at ?? document.recorded_at,
    recordedAtMs: document.recorded_at,
    model: answer?.model,
    calls: answer?.calls?.length ?? 0,
    layout: document.layout,
    chars: document.prompt_chars,
    keptChars: document.kept_chars,
    servedChars: document.served_chars ?? document.kept_chars,
    cache: document.cache ?? "warm",
    usage: usageOf(document),
    fold: requestFold(document),
    reasons: Object.freeze(
      Object.fromEntries(Object.entries(decision.reasons ?? {}).map(([reason, parts]) => [reason, parts.length])),
    ),
    recalls: Object.freeze(recall.map((one: (typeof recall)[number] | string) => objectIn(one))),
    releases: Object.freeze([...release]),
    omitted: omit.reduce((sum, [from, to]) => sum + to - from, 0),
    amended: document.amended?.length ?? 0,
    redactions: document.redactions ?? 0,
    resumed: document.resumed !== undefined,
  };
}

/** Layouts before `log/3` named the object alone. */
const objectIn = (recall: { readonly object: string } | string): string =>
  typeof recall === "string" ? recall : recall.object;

function usageOf({ usage }: DocumentOf<"step">): Usage | undefined {
  if (usage === undefined) return undefined;
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = usage;
  return Object.freeze({ input, output, cacheRead, cacheWrite });
}

function requestFold(document: DocumentOf<"step">): RequestFold | undefined {
  const decision = document.decision as PromptDecision;
  const fold = foldOf(decision, document, 0);
  if (fold === undefined) return undefined;
  return Object.freeze({ cut: decision.fold?.cut, cause: fold.cause, parts: Object.keys(fold.forms).length });
}

/** The facts as a row of plain data; trailing members say what most requests do not have. */
export type FactsRow = readonly [
  ...times: readonly [turn: number, at: number, recorded: number],
  ...answer: readonly [model: string | null, calls: number, layout: string],
  ...sizes: readonly [chars: number, kept: number, served: number, cold: 0 | 1],
  usage: readonly [number, number, number, number] | null,
  fold: readonly [cut: number | null, cause: string | null, parts: number] | null,
  reasons: Readonly<Record<string, number>>,
  recalls: readonly string[],
  releases: readonly string[],
  ...counts: readonly [omitted: number, amended: number, redactions: number, resumed: 0 | 1],
];

export function factsRow(facts: RequestFacts): FactsRow & JsonValue {
  const { usage, fold } = facts;
  return [
    ...([facts.turn, facts.atMs, facts.recordedAtMs] as const),
    ...([facts.model ?? null, facts.calls, facts.layout] as const),
    ...([facts.chars, facts.keptChars, facts.servedChars, facts.cache === "cold" ? 1 : 0] as const),
    usage === undefined ? null : [usage.input, usage.output, usage.cacheRead, usage.cacheWrite],
    fold === undefined ? null : [fold.cut ?? null, fold.cause ?? null, fold.parts],
    facts.reasons,
    facts.recalls,
    facts.releases,
    ...([facts.omitted, facts.amended, facts.redactions, facts.resumed ? 1 : 0] as const),
  ];
}

export function factsOfRow(row: FactsRow): RequestFacts {
  const [turn, atMs, recordedAtMs, model, calls, layout, chars, keptChars, servedChars, cold, ...rest] = row;
  const [usage, fold, reasons, recalls, releases, omitted, amended, redactions, resumed] = rest;
  return {
    ...{ turn, atMs, recordedAtMs, model: model ?? undefined, calls, layout },
    ...{ chars, keptChars, servedChars, cache: cold === 1 ? "cold" : "warm" },
    usage:
      usage === null
        ? undefined
        : Object.freeze({ input: usage[0], output: usage[1], cacheRead: usage[2], cacheWrite: usage[3] }),
    fold:
      fold === null
        ? undefined
        : Object.freeze({ cut: fold[0] ?? undefined, cause: fold[1] ?? undefined, parts: fold[2] }),
    reasons: Object.freeze(reasons),
    recalls: Object.freeze(recalls),
    releases: Object.freeze(releases),
    ...{ omitted, amended, redactions, resumed: resumed === 1 },
  };
}
