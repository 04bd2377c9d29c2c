import { isInfrastructureId, type SetChanges } from "@cm/object-model";
import type { SetCommand } from "../harness.ts";
import type { Renderer } from "../policy.ts";
import { isIdle, type Membership } from "./session-sets.ts";

/** What moves content objects between the sets: the rows of SSOT 5.6 step 6, 5.7, 3.3 and 4.3. */
export type SetEvent =
  | {
      readonly event:
        | "read"
        | "discovery"
        | "adopt"
        | "hint"
        | "tool call"
        | "collapse"
        | "recall"
        | "demote"
        | "turn over";
      readonly id: string;
    }
  | { readonly event: SetCommand["action"]; readonly id: string };

export type Transition = { readonly changes: SetChanges } | { readonly refused: string };

const nothing: Transition = { changes: {} };
/** Also for objects that are there and not this session's: it does not say which. */
export const unknownObject = "This session has not met such an object; list its objects.";
const refused = (reason: string): Transition => ({ refused: reason });

/**
 * One row for each event, pure. Under `sets` the active set decides what is shown, and what was activated stays through
 * its turn whatever the window in turns says (SSOT 3.3); under `rendered` it follows what stands in full, so `activate`
 * and `deactivate` leave marks for the policy (SSOT 4.4 (7)).
 */
export function transition(sets: Membership, { event, id }: SetEvent, residency: Renderer["residency"]): Transition {
  if (isInfrastructureId(id)) return refused("Infrastructure objects have no context level.");
  if (!enters(event) && !sets.index.has(id)) return refused(unknownObject);
  switch (event) {
    case "read":
      // What the agent wished before is settled by its reading again: the text stands anew, and is wanted.
      return changes(add(sets, "index", id), add(sets, "pool", id), add(sets, "active", id), ...granted(sets, id));
    case "tool call":
      return changes(add(sets, "index", id), add(sets, "pool", id), add(sets, "active", id));
    case "discovery":
    case "adopt":
      return changes(add(sets, "index", id), add(sets, "pool", id));
    case "hint":
      return nothing;
    case "recall":
      return changes(add(sets, "pool", id), add(sets, "active", id), ...granted(sets, id));
    case "collapse":
      return changes(
        remove(sets, "active", id),
        remove(sets, "dismissed", id),
        residency === "sets" ? remove(sets, "requested", id) : {},
      );
    case "turn over":
      return changes(residency === "sets" ? remove(sets, "requested", id) : {});
    case "demote":
      return changes(isIdle(sets, id) ? remove(sets, "pool", id) : {});
    case "activate":
      if (residency === "sets")
        return changes(add(sets, "pool", id), add(sets, "active", id), add(sets, "requested", id));
      return changes(
        add(sets, "pool", id),
        remove(sets, "dismissed", id),
        sets.active.has(id) ? {} : add(sets, "requested", id),
      );
    case "deactivate":
      if (residency === "sets") return changes(remove(sets, "active", id), remove(sets, "requested", id));
      return changes(remove(sets, "requested", id), sets.active.has(id) ? add(sets, "dismissed", id) : {});
    case "pin":
      return changes(add(sets, "pool", id), add(sets, "pinned", id));
    case "unpin":
      return changes(remove(sets, "pinned", id));
    case "show":
      return changes(add(sets, "pool", id));
    case "hide":
      if (sets.pinned.has(id)) return refused("The object is pinned; unpin it first.");
      return changes(
        remove(sets, "active", id),
        remove(sets, "pool", id),
        remove(sets, "requested", id),
        residency === "rendered" && sets.active.has(id) ? add(sets, "dismissed", id) : {},
      );
  }
}

/** The text stands in full: what the agent wished for it before is settled. */
function granted(sets: Membership, id: string): readonly SetChanges[] {
  return [remove(sets, "requested", id), remove(sets, "dismissed", id)];
}

/** Events that bring an object into the session; all others are about objects it has met. */
function enters(event: SetEvent["event"]): boolean {
  return event === "read" || event === "discovery" || event === "tool call" || event === "adopt";
}

function add(sets: Membership, name: keyof Membership, id: string): SetChanges {
  return sets[name].has(id) ? {} : { [name]: { added: [id] } };
}

function remove(sets: Membership, name: Exclude<keyof Membership, "index">, id: string): SetChanges {
  return sets[name].has(id) ? { [name]: { removed: [id] } } : {};
}

/** Each part concerns another set, so they never overwrite each other. */
function changes(...parts: readonly SetChanges[]): Transition {
  return { changes: Object.assign({}, ...parts) };
}
