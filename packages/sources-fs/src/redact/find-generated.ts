import { markStart, type Span } from "./span.ts";

const resource = "random_password";
const resultCharsMax = 1_500;
/** In the state of Terraform, or what it prints of it. */
const result = /["']?result["']?[ \t]{0,16}[:=][ \t]{0,4}"([^"\\\n]{6,128})"/;

/** Finds passwords that Terraform made: the name of what made one stands far above it. */
export function findGenerated(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    const start = at - resource.length + "password".length;
    if (at < from || !text.startsWith(resource, start)) continue;
    const found = result.exec(text.slice(at, at + resultCharsMax));
    // A file of many has one here, and looks no further for it than the next one does.
    from = at + (found?.index ?? resource.length);
    if (found === null || found[1]?.startsWith(markStart)) continue;
    const end = at + found.index + found[0].length - 1;
    spans.push({ start: end - (found[1] ?? "").length, end, rule: "generated" });
  }
  return spans;
}
