import { type Clock, clockOf } from "./clocks.ts";
import type { ContextLogIdea } from "./ideas.ts";
import type { LogParts, Part, Touch } from "./parts.ts";

/** What sets a clock anew, as it was when the clock was read last. */
interface SetBy {
  readonly turns: number;
  readonly touchedAt: number;
  readonly editedAt: number;
  readonly without: ReadonlySet<ContextLogIdea>;
}

/** The clock of a part that is looked at again and again: it is worked out anew only when a turn or its file moved on. */
export class RunningClock {
  readonly #part: Part;
  #setBy: SetBy | undefined;
  #clock: Clock | undefined;

  constructor(part: Part) {
    this.#part = part;
  }

  read(log: LogParts, without: ReadonlySet<ContextLogIdea>): Clock {
    const { file } = this.#part;
    const touch = file === undefined ? undefined : log.touches[file];
    if (this.#clock !== undefined && this.#isCurrent(log, touch, without)) return this.#clock;
    this.#clock = clockOf(log, this.#part, without);
    this.#setBy = {
      turns: log.turnSteps.length,
      touchedAt: touch?.step ?? -1,
      editedAt: touch?.editedAt ?? -1,
      without,
    };
    return this.#clock;
  }

  #isCurrent(log: LogParts, touch: Touch | undefined, without: ReadonlySet<ContextLogIdea>): boolean {
    const set = this.#setBy;
    return (
      set?.turns === log.turnSteps.length &&
      set.without === without &&
      set.touchedAt === (touch?.step ?? -1) &&
      set.editedAt === (touch?.editedAt ?? -1)
    );
  }
}
