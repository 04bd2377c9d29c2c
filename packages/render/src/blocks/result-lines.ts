import type { Cut, PoolBlock, ResultBlock } from "./block.ts";
import { bodyText, parseBody } from "./cut-lines.ts";
import { field, fieldPattern, parseField } from "./field.ts";
import { parsePoolLine, poolLine } from "./pool-lines.ts";

/**
 * A tool's output as it stands in full: the alias of its object, a line for each file that came with it, then the text.
 * Tool, arguments and status stand in the pair itself.
 */
export function resultText(head: string, text: string, cut?: Cut): string {
  return `${head}\n${bodyText(text, cut)}`;
}

/** What stands above the text. */
export function resultHead(id: string, brought: readonly PoolBlock[]): string {
  return [`id=${field(id)}`, ...brought.map(poolLine)].join("\n");
}

const opener = new RegExp(`^id=${fieldPattern}$`);

/** Reverses `resultText`; undefined for a text that does not begin so. */
export function parseResult(callId: string, header: string, rest: string | undefined): ResultBlock | undefined {
  const [, id] = opener.exec(header) ?? [];
  if (id === undefined || rest === undefined) return undefined;
  const brought: PoolBlock[] = [];
  let body = rest;
  for (;;) {
    const end = body.indexOf("\n");
    const line = end < 0 ? undefined : parsePoolLine(body.slice(0, end));
    if (line === undefined) break;
    brought.push(line);
    body = body.slice(end + 1);
  }
  return {
    kind: "result",
    callId,
    id: parseField(id),
    ...(brought.length === 0 ? {} : { brought }),
    ...parseBody(body),
  };
}
