import type { Session } from "../../src/index.ts";

/** All that a session knows and shows, as plain data that can be compared. Only the index has an order. */
export function snapshot(session: Session) {
  const { log, objects, sets, forms, ledger, systemPrompt, step, turn, sent } = session.view();
  const { index, ...others } = sets;
  return {
    log: [...log],
    objects: [...objects],
    index: [...index],
    sets: Object.fromEntries(Object.entries(others).map(([name, set]) => [name, [...set].sort()])),
    forms: [...forms].sort(([a], [b]) => (a < b ? -1 : 1)),
    ledger,
    systemPrompt,
    step,
    turn,
    sent,
    chat: session.chat(),
    folds: session.folds(),
  };
}
