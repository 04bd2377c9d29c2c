import type { Operation, XtdbClient } from "@cm/xtdb-client";

/** Attributes that stores of before did not write. */
const later = new Set(["cm/order", "cm/ordered"]);

/** A client that leaves out of every document what stores did not write when there was no order in the index yet. */
export function clientOfBefore(client: XtdbClient): XtdbClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === "submitAndConfirm") {
        const confirm: XtdbClient["submitAndConfirm"] = (operations, options) =>
          target.submitAndConfirm(operations.map(asBefore), options);
        return confirm;
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function asBefore(operation: Operation): Operation {
  if (operation.kind !== "put") return operation;
  const kept = Object.entries(operation.document).filter(([key]) => !later.has(key));
  return { ...operation, document: { "xt/id": operation.document["xt/id"], ...Object.fromEntries(kept) } };
}
