import type { SetChanges } from "@cm/object-model";
import { recalledEntries } from "../appended-entries.ts";
import { askedBy } from "../asked-by.ts";
import type { FileTouch } from "../harness.ts";
import type { RecalledEntry } from "../log-entries.ts";
import { resultPart } from "../part-form.ts";
import type { Renderer } from "../policy.ts";
import { ChangeLog, type Membership } from "../sets/session-sets.ts";
import { type SetEvent, transition } from "../sets/transitions.ts";
import type { ContextView, PromptDecision } from "../view.ts";
import type { LogState } from "./log-state.ts";
import { shownChanges, standsInFull } from "./residency.ts";

/** The changes a step makes to the sets, worked out beside them: nothing moves before the step is committed. */
export class DraftChanges {
  readonly #log = new ChangeLog();
  readonly #residency: Renderer["residency"];
  readonly members: Membership;

  /** @param made changes since the request that the sets do not carry, such as the agent's commands */
  constructor(state: LogState, residency: Renderer["residency"], made: SetChanges) {
    this.#residency = residency;
    this.#log.add(made);
    this.members = this.#log.over(state.sets);
  }

  apply(event: SetEvent): void {
    const outcome = transition(this.members, event, this.#residency);
    if ("changes" in outcome) this.#log.add(outcome.changes);
  }

  /** What the decision did: objects that no longer stand in full, and those that were brought back. */
  applyDecision(state: LogState, view: ContextView, decision: PromptDecision): void {
    const recalled = recalledEntries(view, decision)
      .filter(({ input }) => input === undefined)
      .map((entry) => ({ ...entry, object: state.successions.newest(entry.object) }));
    for (const { object } of recalled) this.apply({ event: "recall", id: object });
    for (const id of decision.release ?? []) this.apply({ event: "unpin", id });
    if (this.#residency === "sets") for (const id of decision.deactivate ?? []) this.apply({ event: "collapse", id });
    else this.#applyForms(state, view, { decision, recalled });
    // Its output stands nowhere yet: it is brought back with the next result that there is.
    const back = new Set(recalled.map(({ object }) => object));
    for (const id of lateObjects(view, decision)) if (!back.has(id)) this.apply({ event: "activate", id });
  }

  /** What stands in full no longer, or again. */
  #applyForms(
    state: LogState,
    view: ContextView,
    { decision, recalled }: { readonly decision: PromptDecision; readonly recalled: readonly RecalledEntry[] },
  ): void {
    const inFull = new Set<string>();
    const counts = new Map<string, number>();
    for (const { at, object } of recalled) {
      if (standsInFull(decision.forms?.[resultPart(at)])) inFull.add(object);
      else counts.set(object, state.shown.get(object) ?? 0);
    }
    for (const { id: shown, by } of shownChanges(view, decision)) {
      const id = state.successions.newest(shown);
      counts.set(id, (counts.get(id) ?? state.shown.get(id) ?? 0) + by);
    }
    for (const [id, count] of counts) {
      if (count <= 0 && !inFull.has(id)) this.apply({ event: "collapse", id });
      // Unfolded: it stands in full again, as if it had been brought back.
      if (count > 0 && (state.shown.get(id) ?? 0) <= 0) this.apply({ event: "recall", id });
    }
  }

  /** A file that a call touched. Under `rendered`, one that was read without a visible part is only discovered. */
  applyTouch(id: string, touch: FileTouch): void {
    const seen = touch.as === "read" && (this.#residency === "sets" || touch.span !== undefined);
    this.apply({ event: seen ? "read" : "discovery", id });
  }

  add(changes: SetChanges): void {
    this.#log.add(changes);
  }

  sum(): SetChanges {
    return this.#log.sum();
  }
}

/** The objects of results that came when their calls had left, and leave with this request. */
function lateObjects({ log, step }: ContextView, { omit = [] }: PromptDecision): readonly string[] {
  if (omit.length === 0) return [];
  const asked = askedBy(log);
  return omit.flatMap(([from, to]) =>
    log.slice(from, to).flatMap((entry) => {
      const isLate = entry.kind === "result" && entry.step === step && entry.text !== null && !asked.has(entry.at);
      return isLate ? [entry.object] : [];
    }),
  );
}
