import { LogIndex } from "../log-index.ts";
import { applyChanges } from "../sets/session-sets.ts";
import { emptyState, type LogState, type MutableState } from "../state/log-state.ts";
import { requestsSince } from "../state/request-rows.ts";
import { stateAs } from "../state/state-as.ts";
import { admit, admitRecorded, finish, skipErased } from "./advance.ts";
import { amend } from "./amend.ts";
import { copyOf } from "./copy-state.ts";
import type { AppliedChanges, LogEvent } from "./log-event.ts";
import { admitObserved, admitResumed } from "./observe-files.ts";
import { bring, keepRows } from "./omission.ts";

/**
 * The log of one session with all that follows from it. `apply` is the only way to change it:
 *
 *     received, observed, resumed, amended, moved, brought, system prompt  what comes before a request
 *       (read back: requested)                                             the same, from a recorded step
 *     sent                                                                 the request's prompt
 *     finished                                                             decision, answer, results: depth + 1
 *     erased                                                               in place of a step: depth + 1
 *     forked, keyframe                                                     what the next step builds on
 */
export class ContextLog {
  readonly #state: MutableState;

  /** @param headChars characters before the messages of each request, which its costs include */
  constructor(session: string, headChars: number) {
    this.#state = emptyState(session, headChars);
  }

  /** A log that was put together elsewhere, such as from a keyframe. It owns the state from here on. */
  static of(state: MutableState): ContextLog {
    const log = new ContextLog(state.session, state.ledger.headChars);
    Object.assign(log.#state, state);
    keepRows(log.#state);
    log.#feedIndex([]);
    return log;
  }

  /** A log with the same state that goes on by itself. Without successions. */
  static copyOf(state: LogState): ContextLog {
    // What readers may not change is no less there.
    return ContextLog.of(copyOf(state as MutableState));
  }

  /** The log as it stands: the same object after each event. */
  get state(): LogState {
    return this.#state;
  }

  apply(event: LogEvent): AppliedChanges {
    const from = this.#state.log.length;
    const changed = this.#change(event);
    const changes = { ...unchanged, ...changed, entries: { from, to: this.#state.log.length } };
    this.#feedIndex([...changes.answered, ...changes.forms]);
    return changes;
  }

  #change(event: LogEvent): Partial<AppliedChanges> {
    const state = this.#state;
    switch (event.event) {
      case "received":
        return admit(state, event.messages, event.changes, event.objects, event.observed);
      case "observed":
        admitObserved(state, event.observed, event.objects);
        return {};
      case "resumed":
        admitResumed(state, event.resumed, event.objects);
        return {};
      case "amended":
        return { amended: amend(state, event.amended) };
      case "moved":
        applyChanges(state.sets, event.changes);
        return { sets: [event.changes] };
      case "brought":
        bring(state, event.object);
        return {};
      case "system prompt":
        state.systemPrompt = event.text;
        return {};
      case "requested":
        return admitRecorded(state, event.step, event.objects);
      case "sent":
        state.sent = event.prompt;
        return {};
      case "finished":
        return finish(state, event.step, event.objects, event.prices);
      case "erased":
        skipErased(state, event.address, event.contentHash);
        return {};
      case "forked":
        Object.assign(state, stateAs(state, event.session));
        return {};
      case "keyframe":
        state.keyframe = event.base;
        if (event.base !== undefined) state.requests = [...(requestsSince(state, event.base.chain.at(-1)) ?? [])];
        return {};
    }
  }

  /** Where entries were amended or left the prompt the log is another array, and has another index. */
  #feedIndex(changedParts: readonly string[]): void {
    const { index, log, forms } = this.#state;
    if (index.log !== log || index.forms !== forms) this.#state.index = new LogIndex(log, forms);
    else for (const part of changedParts) index.changePart(part);
  }
}

const unchanged: Omit<AppliedChanges, "entries"> = { answered: [], amended: [], omitted: [], forms: [], sets: [] };
