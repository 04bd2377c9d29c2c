import type { ContextLogIdea } from "./ideas.ts";
import type { LogParts, Part } from "./parts.ts";
import type { Clocks, ContextLogSettings, Limits } from "./presets.ts";

export type ClockSettings = Pick<ContextLogSettings, "clocks" | "without">;

/** What a part's clock says, in steps: a function of the log, which changes only when a turn or the part's file moves on. */
export interface Clock {
  /** The step from which on the part is dead, which may lie ahead. */
  readonly deadSince: number;
  /** When it was set, in which turn, and after how many steps it has run down. */
  readonly setAt: number;
  readonly turn: number;
  readonly limit: number;
}

/** When a part is dead by its clock, so that nothing has to be remembered. */
export function clockOf(log: LogParts, part: Part, settings: ClockSettings): Clock {
  const limits = limitsFor(log, part, settings);
  const touch = part.file === undefined || part.class === "brief" ? undefined : log.touches[part.file];
  const from = touch !== undefined && touch.step > part.step ? touch : part;
  const phase = phaseOf(log.turnSteps, from.turn);
  return { deadSince: deadSince(log.turnSteps, from, limits), setAt: from.step, turn: from.turn, limit: limits[phase] };
}

function limitsFor(log: LogParts, part: Part, { clocks, without }: ClockSettings): Limits {
  const limits = clocks[limitsNameFor(log, part, without)];
  return without.has("turns") ? [limits[0], limits[0], limits[0]] : limits;
}

function limitsNameFor(log: LogParts, part: Part, without: ReadonlySet<ContextLogIdea>): keyof Clocks {
  switch (part.class) {
    case "change":
      return "change";
    case "change-args":
      return "changeArgs";
    case "read":
    case "recalled": {
      const edited = part.file === undefined ? -1 : (log.touches[part.file]?.editedAt ?? -1);
      return edited > part.at && !without.has("edited-since") ? "used" : "waiting";
    }
    default:
      return "brief";
  }
}

/** 0 in the turn where the clock was set, 1 in the next, 2 later. */
function phaseOf(turnSteps: readonly number[], turn: number): 0 | 1 | 2 {
  const turns = turnSteps.length - 1 - turn;
  return turns <= 0 ? 0 : turns === 1 ? 1 : 2;
}

/**
 * The step since which the part is dead without a break. A turn that begins changes the limit: it can kill at once
 * what would have waited on, and wake what a longer limit lets live.
 */
function deadSince(
  turnSteps: readonly number[],
  from: { readonly step: number; readonly turn: number },
  limits: Limits,
): number {
  let phase = phaseOf(turnSteps, from.turn);
  let begin = beginOf(turnSteps, from, phase);
  let dead = Math.max(begin, from.step + limits[phase]);
  while (dead === begin && phase > 0) {
    phase = phase === 2 ? 1 : 0;
    const before = beginOf(turnSteps, from, phase);
    const deadBefore = Math.max(before, from.step + limits[phase]);
    if (deadBefore >= begin) break;
    begin = before;
    dead = deadBefore;
  }
  return dead;
}

function beginOf(
  turnSteps: readonly number[],
  from: { readonly step: number; readonly turn: number },
  phase: 0 | 1 | 2,
): number {
  return phase === 0 ? from.step : (turnSteps[from.turn + phase] ?? from.step);
}
