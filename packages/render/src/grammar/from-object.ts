import type { ViewObject } from "@cm/context-log";
import { defined } from "@cm/object-model";
import type { ActiveBlock, PoolBlock } from "./block.ts";
import { boundedField } from "./field.ts";

/** How an object stands in the pool and in the active section (SSOT 4.1), `id` being its id or its alias. */

export function poolBlockOf(object: ViewObject, id: string): PoolBlock {
  const line = {
    id: boundedField(id),
    ...defined({ redactions: object.redactions, textless: object.textless }),
  };
  if (object.kind === "toolcall") {
    return { kind: "pool-toolcall", ...line, tool: boundedField(object.tool ?? ""), status: object.status ?? "ok" };
  }
  return {
    kind: "pool-file",
    ...line,
    path: boundedField(object.path ?? ""),
    fileType: boundedField(object.fileType ?? ""),
    charCount: object.charCount ?? 0,
  };
}

/** A stub that shows the newest part the agent saw keeps its state, so that the part is not taken for the whole. */
export function activeBlockOf(object: ViewObject, id: string): ActiveBlock {
  return {
    kind: "active",
    id: boundedField(id),
    ...defined({ state: object.textless }),
    text: object.text,
  };
}
