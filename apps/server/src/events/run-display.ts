import { type AGUIEvent, EventType } from "@ag-ui/core";
import { foldDisplay } from "@cm/lineage";

/** What is kept of a run's events for those who look at it later, folded step by step as the run goes on. */
export class RunDisplay {
  readonly #folded: AGUIEvent[] = [];
  #ofStep: AGUIEvent[] = [];

  add(events: readonly AGUIEvent[]): void {
    for (const event of events) {
      // What a tool said in between stands in its result.
      if (event.type === EventType.CUSTOM && event.name === "tool_output") continue;
      this.#ofStep.push(event);
      if (event.type === EventType.STEP_FINISHED) this.#fold();
    }
  }

  all(): readonly AGUIEvent[] {
    this.#fold();
    return this.#folded;
  }

  /** Nothing is open between two steps, so that each is folded by itself. */
  #fold(): void {
    this.#folded.push(...foldDisplay(this.#ofStep.splice(0)));
  }
}
