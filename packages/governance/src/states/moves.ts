import { failure } from "../errors.ts";

/** Which states follow each state. */
export type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

/**
 * The state after a move.
 * @throws CmError `governance/invalid-move`
 */
export function moved<State extends string>(moves: Moves<State>, from: State, to: State): State {
  if (moves[from].includes(to)) return to;
  throw failure("governance/invalid-move", `There is no move from ${from} to ${to}; read the state again.`, {
    from,
    to,
  });
}
