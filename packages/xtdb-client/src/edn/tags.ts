import { EdnSyntaxError } from "./atoms.ts";
import type { EdnOutput, Tagged } from "./values.ts";

const instant = /^(\d{4})-(\d\d)-(\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Instants, bytes and XTDB's ids become what they are; a tag that is not known stays a `Tagged`. */
export function tagged(it: Tagged, at: number): EdnOutput {
  switch (it.tag) {
    case "inst":
      return instantOf(it.value, at);
    case "xtdb/base64":
      if (typeof it.value !== "string" || !base64.test(it.value))
        throw new EdnSyntaxError("bytes that are no base64", at);
      return new Uint8Array(Buffer.from(it.value, "base64"));
    case "xtdb/id":
      if (typeof it.value !== "string" || !/^[0-9a-f]{40}$/.test(it.value))
        throw new EdnSyntaxError("an unreadable id", at);
      return it.value;
    default:
      return it;
  }
}

function instantOf(value: EdnOutput, at: number): Date {
  const parts = typeof value === "string" ? instant.exec(value) : null;
  if (parts === null) throw new EdnSyntaxError("an unreadable instant", at);
  // "-00:00" is how Clojure writes UTC; ECMAScript knows it as "Z" only.
  const [, year, month, rest, zone] = parts;
  const date = new Date(`${year}-${month}-${rest}${zone === "-00:00" ? "Z" : zone}`);
  if (Number.isNaN(date.getTime())) throw new EdnSyntaxError("an unreadable instant", at);
  return date;
}
