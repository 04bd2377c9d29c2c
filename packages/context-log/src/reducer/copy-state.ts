import { LogIndex } from "../log-index.ts";
import { Successions } from "../objects/successions.ts";
import type { MutableState } from "../state/log-state.ts";

/** A state that goes on by itself. Texts, entries and objects are shared, since they are immutable. Without successions. */
export function copyOf(state: MutableState): MutableState {
  const successions = new Successions();
  const { sets } = state;
  const log = [...state.log];
  const forms = new Map(state.forms);
  return {
    ...state,
    sessions: new Set(state.sessions),
    log,
    recorded: new Map(state.recorded),
    objects: state.objects.copy(),
    brought: new Set(state.brought),
    sets: {
      index: sets.index.copy(),
      pool: new Set(sets.pool),
      active: new Set(sets.active),
      pinned: new Set(sets.pinned),
      dismissed: new Set(sets.dismissed),
      requested: new Set(sets.requested),
    },
    idle: new Set(state.idle),
    forms,
    index: new LogIndex(log, forms),
    folds: [...state.folds],
    successions,
    aliases: state.aliases.copyFor(successions),
    omitted: state.omitted.another(),
    openCalls: state.openCalls.copy(),
    inSight: new Map(state.inSight),
    seenAt: new Map(state.seenAt),
    shown: new Map(state.shown),
    missing: new Set(state.missing),
    path: state.path.copy(),
    origins: new Map(state.origins),
    erasedAt: new Set(state.erasedAt),
    amendedAt: new Map(state.amendedAt),
    formedAt: new Map(state.formedAt),
    requests: [...state.requests],
  };
}
