import type { ContextView } from "@cm/context-log";
import { callOf, fileAbout, foldCandidatesInBytes } from "../log-index/fold-candidates.ts";
import { type LogParts, partsOf } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import { newestSteps } from "./marks.ts";

/** A fold candidate, as the window sees it. */
export interface WindowPart {
  readonly key: string;
  readonly at: number;
  readonly turn: number;
  readonly isArgs: boolean;
  /** The newest calls are always whole as long as anything else can give way. */
  readonly isNewest: boolean;
  /** The object whose text it is, and the file of which it shows something: a pin on either keeps it. */
  readonly objects: readonly string[];
  /** The newest step that read or changed its file; its own where it has none. */
  readonly touched: number;
}

/**
 * The parts of a log that weigh less folded, those of the newest calls, and those that a decision gives other forms; in
 * the order of the log.
 */
export function partsInView(view: ContextView, decided: Iterable<string>): readonly WindowPart[] {
  const log = partsOf(view);
  const parts = new Map(foldCandidatesInBytes(view));
  for (const part of newest(view, log)) parts.set(part.key, part);
  for (const key of decided) {
    const part = log.partsAt(Number.parseInt(key, 10)).find((one) => one.key === key);
    if (part !== undefined) parts.set(key, part);
  }
  const inOrder = [...parts.values()].sort((a, b) => a.at - b.at || callOf(a.key) - callOf(b.key));
  return inOrder.map((part) => windowPart(view, log, part));
}

function windowPart(view: ContextView, log: LogParts, part: Part): WindowPart {
  const { key, at, turn, step, isArgs, object = "" } = part;
  const file = fileAbout(view, part);
  return {
    ...{ key, at, turn, isArgs },
    isNewest: isNewest(view, part),
    objects: isArgs ? [] : [...new Set([object, file ?? object])],
    touched: Math.max(step, file === undefined ? -1 : (log.touchedAt.get(file) ?? -1)),
  };
}

function newest(view: ContextView, log: LogParts): readonly Part[] {
  const last = view.log.findLastIndex((entry) => !isNewest(view, entry));
  return view.log.slice(last + 1).flatMap(({ at }) => log.partsAt(at));
}

const isNewest = (view: ContextView, { step }: { readonly step: number }): boolean => step > view.step - newestSteps;
