import type { SetChanges } from "@cm/object-model";
import type { Membership } from "./session-sets.ts";

const places = ["pool", "active", "pinned", "dismissed", "requested"] as const;

/** One file stands in another one's place from here on: it is wherever that was, which stays in the index alone. Pure. */
export function succession(sets: Membership, { id, from }: { readonly id: string; readonly from: string }): SetChanges {
  const changes: Record<string, { readonly added?: string[]; readonly removed?: string[] }> = {};
  if (!sets.index.has(id)) changes.index = { added: [id] };
  for (const name of places) {
    if (!sets[name].has(from)) continue;
    changes[name] = { removed: [from], ...(sets[name].has(id) ? {} : { added: [id] }) };
  }
  return changes;
}
