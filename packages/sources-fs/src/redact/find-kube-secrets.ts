import { redactLimits } from "../limits.ts";
import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";

const kind = /kind["']?[ \t]{0,4}:[ \t]{0,4}["']?$/i;
const yamlPair =
  /\n[ \t]{1,16}["']?[\w.-]{1,128}["']?[ \t]{0,4}:[ \t]{0,4}["']?([A-Za-z0-9+/]{8,4096}={0,2})(?=["']?,?[ \t]{0,8}(?:\r?\n|$))/g;

/** Finds the values of a Secret of Kubernetes, whose names say nothing: all that stands in base64 under `data`. */
export function findKubeSecrets(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from || !text.startsWith("Secret", at)) continue;
    if (!kind.test(text.slice(Math.max(0, at - 24), at)) || /[\w-]/.test(text.charAt(at + 6))) continue;
    const [start, end] = documentAround(text, at);
    const document = text.slice(start, end);
    // A document is looked at once, however often it says its kind.
    from = end;
    const data = document.search(/\n[ \t]{0,8}["']?(?:data|stringData)["']?[ \t]{0,4}:/);
    if (data < 0) continue;
    for (const { index, 0: line, 1: value = "" } of document.slice(data + 1).matchAll(yamlPair)) {
      const place = start + data + 1 + index + line.length - value.length;
      if (isBase64(value)) spans.push({ start: place, end: place + value.length, rule: "kubernetes" });
    }
  }
  return spans;
}

function documentAround(text: string, at: number): readonly [number, number] {
  const least = Math.max(0, at - redactLimits.kubeDocumentCharsMax);
  const before = text.slice(least, at).lastIndexOf("\n---");
  const after = text.slice(at, at + redactLimits.kubeDocumentCharsMax).indexOf("\n---");
  return [
    before < 0 ? least : least + before,
    after < 0 ? Math.min(text.length, at + redactLimits.kubeDocumentCharsMax) : at + after,
  ];
}

/** Words are no base64 of anything that can be read or was drawn. */
function isBase64(value: string): boolean {
  if (isFiller(value) || value.length % 4 !== 0) return false;
  return /=$/.test(value) || (/\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value));
}
