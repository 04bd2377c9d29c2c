import type { CallFigures, PartLife, PartState, RunResult } from "@cm/replay";

/** How the part stood in the request of that call; undefined before it arrived. */
export function stateAt({ forms }: PartLife, call: number): PartState | undefined {
  return forms.findLast((stand) => stand.call <= call);
}

/** The call whose request the part first stood in. */
export function arrivalOf({ forms }: PartLife): number {
  return forms[0]?.call ?? Number.POSITIVE_INFINITY;
}

/** The log entry that the part belongs to. */
export function entryOf({ key }: PartLife): number {
  return Number.parseInt(key, 10);
}

/** Why the part took that form: its own reason, else that of the fold in the same request. */
export function reasonOf({ call, reason }: PartState, calls: readonly CallFigures[]): string | undefined {
  return reason ?? calls[call]?.fold?.reason;
}

/** The part that a fold begins with: the first of its entry or behind it. */
export function partAtCut({ parts = [] }: RunResult, cut: number): PartLife | undefined {
  return parts.find((part) => entryOf(part) >= cut);
}

/** Characters that the parts lost or gained by the forms that began with this call's request. */
export function savedAt(parts: readonly PartLife[], call: number): number {
  return parts.reduce((saved, { forms }) => {
    const at = forms.findIndex((stand) => stand.call === call);
    const [before, now] = [forms[at - 1], forms[at]];
    return at > 0 && before !== undefined && now !== undefined ? saved + before.chars - now.chars : saved;
  }, 0);
}
