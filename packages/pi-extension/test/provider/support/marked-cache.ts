/**
 * A provider's cache that stores what ends at a mark, and finds it again up to 20 blocks before one. It knows requests
 * alone, no prompts: blocks are compared as they stand on the wire without their marks.
 */
export class MarkedCache {
  readonly #stored = new Set<string>();

  /** Sends a request. Gives the characters that were served from earlier ones. */
  request(payload: unknown): number {
    const blocks = blocksOf(payload);
    const ends: string[] = [];
    let prefix = "";
    for (const { text } of blocks) {
      prefix = `${prefix.length}:${hash(prefix)}|${text}`;
      ends.push(prefix);
    }
    let served = 0;
    for (const [place, { isMarked }] of blocks.entries()) {
      if (!isMarked) continue;
      for (let back = place; back >= 0 && back > place - lookback; back -= 1) {
        if (!this.#stored.has(ends[back] ?? "")) continue;
        served = Math.max(served, charsOf(blocks.slice(0, back + 1)));
        break;
      }
    }
    for (const [place, { isMarked }] of blocks.entries()) if (isMarked) this.#stored.add(ends[place] ?? "");
    return served;
  }
}

const lookback = 20;

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

const charsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** In the order in which a provider reads them: tools, system prompt, messages. */
export function blocksOf(payload: unknown): readonly Block[] {
  const { tools, system, messages } = record(payload);
  const ofMessages = list(messages).flatMap((message) => {
    const { role, content, tool_calls } = record(message);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
    const id = record(message).tool_call_id;
    return [...blocks, ...list(tool_calls)].map((block) => blockOf(block, `${role} ${id ?? ""}`));
  });
  return [...list(tools), ...list(system)].map((block) => blockOf(block, "head")).concat(ofMessages);
}

function blockOf(block: unknown, owner: string): Block {
  const { cache_control, ...rest } = record(block);
  return { text: `${owner} ${JSON.stringify(rest)}`, isMarked: cache_control !== undefined };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Enough to tell prefixes apart. */
function hash(text: string): number {
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(place)) | 0;
  return sum;
}

export const marksOf = (payload: unknown): number => blocksOf(payload).filter(({ isMarked }) => isMarked).length;

export const withoutMarks = (payload: unknown): readonly string[] => blocksOf(payload).map(({ text }) => text);
