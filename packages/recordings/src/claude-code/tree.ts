import type { RecordedAssistant, RecordedEvent, RecordingContent } from "../recording.ts";
import type { ClaudeCodeLine } from "./line.ts";
import { parentOf } from "./path.ts";

/** A line with the events that it begins. */
export interface SpokenLine {
  readonly line: ClaudeCodeLine;
  readonly events: readonly RecordedEvent[];
  /** The event that what continues the line follows: its last one, or the answer that it adds a part to. */
  readonly last: RecordedEvent | undefined;
}

interface Node {
  readonly event: RecordedEvent;
  /** Undefined where it begins anew. */
  readonly parent: RecordedEvent | undefined;
  readonly isSidechain: boolean;
}

/**
 * All branches of a transcript. The talk of sub-agents is a branch that begins anew; it stands behind the results of the
 * answer that called them, so that these stay together, and is left out until they are there.
 */
export function eventTree(
  lines: readonly ClaudeCodeLine[],
  spoken: (lines: readonly ClaudeCodeLine[]) => readonly SpokenLine[],
): Pick<RecordingContent, "events" | "leaf"> {
  const nodes = inOrder(nodesOf(lines, spoken(lines)));
  const places = new Map(nodes.map(({ event }, place) => [event, place]));
  const leaf = nodes.findLastIndex(({ isSidechain }) => !isSidechain);
  // A file of a sub-agent alone has nothing of the session.
  if (leaf < 0) return { events: [] };
  const events = nodes.map(({ event, parent }, place): RecordedEvent => {
    const after = parent === undefined ? null : (places.get(parent) ?? null);
    return (after ?? -1) === place - 1 ? event : { ...event, after };
  });
  return { events, ...(leaf === nodes.length - 1 ? {} : { leaf }) };
}

function nodesOf(lines: readonly ClaudeCodeLine[], spoken: readonly SpokenLine[]): readonly Node[] {
  const positions = new Map(lines.map(({ uuid }, place) => [uuid, place]));
  const lastOf: (RecordedEvent | undefined)[] = [];
  const results = new ResultChains();
  let newest: RecordedEvent | undefined;
  return spoken.flatMap(({ line, events, last }, place) => {
    const before = parentOf(line, place, positions);
    // Lines without ids stand in their order; a line is written after the one that it continues.
    const continued = line.uuid === undefined && line.parentUuid === undefined ? newest : lastOf[before];
    let parent = results.parentOf(events[0], continued);
    lastOf[place] = last ?? parent;
    if (last?.kind === "assistant") results.open(last);
    results.add(events[0], last);
    const isSidechain = Boolean(line.isSidechain);
    const nodes = events.map((event): Node => {
      const node = { event, parent, isSidechain };
      parent = event;
      return node;
    });
    if (!isSidechain) newest = last ?? newest;
    return nodes;
  });
}

/** Results of calls made in parallel are written as branches of their answer; here each follows the one before. */
class ResultChains {
  readonly #answers = new Map<string, RecordedEvent>();
  readonly #newest = new Map<RecordedEvent, RecordedEvent>();
  readonly #answerOf = new Map<RecordedEvent, RecordedEvent>();

  open(answer: RecordedAssistant): void {
    for (const { id } of answer.calls) this.#answers.set(id, answer);
  }

  parentOf(event: RecordedEvent | undefined, parent: RecordedEvent | undefined): RecordedEvent | undefined {
    if (event === undefined || parent === undefined) return parent;
    const answer = event.kind === "result" ? this.#answers.get(event.callId) : this.#answerOf.get(parent);
    return (answer === undefined ? undefined : this.#newest.get(answer)) ?? parent;
  }

  /** @param last what follows it in the same line */
  add(event: RecordedEvent | undefined, last: RecordedEvent | undefined): void {
    const answer = event?.kind === "result" ? this.#answers.get(event.callId) : undefined;
    if (answer === undefined || last === undefined) return;
    this.#newest.set(answer, last);
    this.#answerOf.set(last, answer);
  }
}

function inOrder(nodes: readonly Node[]): readonly Node[] {
  const ordered: Node[] = [];
  let aside: Node[] = [];
  const waiting = new Set<string>();
  for (const node of nodes) {
    const { event, isSidechain } = node;
    if (isSidechain) {
      aside.push(node);
      continue;
    }
    if (event.kind === "result") waiting.delete(event.callId);
    else {
      ordered.push(...aside);
      aside = [];
    }
    if (event.kind === "assistant") expect(event, waiting);
    ordered.push(node);
  }
  return waiting.size === 0 ? [...ordered, ...aside] : ordered;
}

function expect({ calls }: RecordedAssistant, waiting: Set<string>): void {
  waiting.clear();
  for (const { id } of calls) waiting.add(id);
}
