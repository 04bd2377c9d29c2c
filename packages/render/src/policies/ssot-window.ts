import type { ContextPolicy, ContextView, ResultEntry } from "@cm/context-log";
import { ssotLayout } from "../layouts/ssot.ts";
import { limits } from "../limits.ts";
import { fitActive } from "./window/fit-active.ts";
import { besideLateResults } from "./window/late-results.ts";

/** SSOT 4.3: results of the newest calls stay active; `turnsBack` counts the current turn as the first. */
export interface TurnWindow {
  readonly perTurn: number;
  readonly turnsBack: number;
}

/**
 * SSOT 4.3: tool calls outside the window leave the active set, pinned ones excepted. Files never do (SSOT 3.3),
 * unless a bound in bytes forces them out (decision 60).
 */
export function ssotWindowPolicy(window: TurnWindow = { perTurn: 5, turnsBack: 3 }): ContextPolicy {
  return {
    contract: "policy/1",
    name: "ssot-window",
    decide: (whole) =>
      besideLateResults(whole, (view) => {
        const recent = recentCalls(view, window);
        const deactivate = [...view.sets.active].filter(
          (id) =>
            view.objects.get(id)?.kind === "toolcall" &&
            !recent.has(id) &&
            !view.sets.pinned.has(id) &&
            !view.sets.requested.has(id),
        );
        // Sorted, because the order of the set is that of its history.
        const decision = deactivate.length === 0 ? {} : { deactivate: deactivate.sort() };
        return fitActive(view, decision, ssotLayout.render);
      }),
  };
}

/** No request could carry it, whether or not a window is known: it is there by reference, and in parts on request. */
const isTooLong = ({ text }: ResultEntry): boolean => (text?.length ?? 0) > limits.arrivalCharsMax;

function recentCalls(view: ContextView, window: TurnWindow): ReadonlySet<string> {
  const recent = new Set<string>();
  const perTurn = new Map<number, number>();
  for (let at = view.log.length - 1; at >= 0; at -= 1) {
    const entry = view.log[at];
    if (entry === undefined || entry.turn <= view.turn - window.turnsBack) break;
    if (entry.kind !== "result") continue;
    const taken = perTurn.get(entry.turn) ?? 0;
    perTurn.set(entry.turn, taken + 1);
    if (taken < window.perTurn && !isTooLong(entry)) recent.add(entry.object);
  }
  return recent;
}
