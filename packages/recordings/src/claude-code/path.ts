import type { ClaudeCodeLine } from "./line.ts";

/**
 * The lines on the way from the last message to the root, in file order, across compactions. Calls made in parallel are
 * written as branches; so a message that is on the path is there with all its lines and the results of all its calls.
 */
export function linesOnPath(lines: readonly ClaudeCodeLine[]): readonly ClaudeCodeLine[] {
  const chain = chainOf(lines);
  const onPath = lines.filter((line) => chain.has(line));
  const messages = new Set(onPath.filter(({ type }) => type === "assistant").map(({ message }) => message?.id));
  const isOwn = (line: ClaudeCodeLine) => line.type === "assistant" && messages.has(line.message?.id);
  const calls = new Set(lines.filter(isOwn).flatMap(callIdsOf));
  return lines.filter((line) => chain.has(line) || isOwn(line) || answers(line, calls));
}

function chainOf(lines: readonly ClaudeCodeLine[]): ReadonlySet<ClaudeCodeLine> {
  const positions = new Map(lines.map(({ uuid }, index) => [uuid, index]));
  const chain = new Set<ClaudeCodeLine>();
  let at = lines.findLastIndex(isMessage);
  for (let line = lines[at]; line !== undefined && !chain.has(line); line = lines[at]) {
    chain.add(line);
    at = parentOf(line, at, positions);
  }
  return chain;
}

/** Position of the line that `line` continues, or -1. */
export function parentOf(line: ClaudeCodeLine, at: number, positions: ReadonlyMap<string | undefined, number>): number {
  if (line.parentUuid !== undefined) return positions.get(line.parentUuid) ?? -1;
  if (line.logicalParentUuid === undefined) return -1;
  // A compaction continues what it summed up, also where it names a line that was never written.
  return positions.get(line.logicalParentUuid) ?? at - 1;
}

function isMessage({ type, isSidechain, message }: ClaudeCodeLine): boolean {
  return (type === "user" || type === "assistant") && !isSidechain && message !== undefined;
}

function callIdsOf({ message }: ClaudeCodeLine): readonly string[] {
  return message?.content.flatMap((part) => (part.type === "tool_use" ? [part.id] : [])) ?? [];
}

function answers({ type, message }: ClaudeCodeLine, calls: ReadonlySet<string>): boolean {
  if (type !== "user" || message === undefined) return false;
  return message.content.some((part) => part.type === "tool_result" && calls.has(part.tool_use_id));
}
