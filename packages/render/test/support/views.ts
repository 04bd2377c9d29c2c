import { type ContextView, indexedView, type LogEntry, type ViewObject, type ViewSets } from "@cm/context-log";

/** A view with nothing in it, and what is given instead. */
export function viewOf(
  given: Partial<Omit<ContextView, "sets" | "index">> & { readonly sets?: Partial<ViewSets> },
): ContextView {
  const { sets, ...rest } = given;
  const objects = rest.objects ?? new Map<string, ViewObject>();
  const index = sets?.index ?? new Set(objects.keys());
  const none: ReadonlySet<string> = new Set();
  return indexedView({
    session: "s",
    step: 0,
    turn: 0,
    systemPrompt: "Be brief.",
    log: [],
    forms: new Map(),
    sent: undefined,
    ledger: { requests: 0, billed: 0, plainBilled: 0, plainChars: 0, headChars: 0 },
    cache: "warm",
    ...rest,
    objects,
    sets: { pool: index, active: none, pinned: none, dismissed: none, requested: none, ...sets, index },
  });
}

export const objectsOf = (...objects: readonly ViewObject[]): ReadonlyMap<string, ViewObject> =>
  new Map(objects.map((object) => [object.id, object]));

export const user = (at: number, text: string): LogEntry => ({
  kind: "user",
  at,
  step: 0,
  turn: 0,
  text,
  attachments: [],
});
