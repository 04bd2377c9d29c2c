import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { namesIn } from "./names.ts";
import { contentOf } from "./prompt-texts.ts";
import { shows } from "./shows.ts";

/** The texts that a request has and the previous one lacks, and the reverse. */
export interface ViewChange {
  readonly entered: readonly PromptMessage[];
  readonly left: readonly PromptMessage[];
}

/** The messages of the newest request, and where in them a name stands. Work follows what changed. */
export class InView {
  #messages: readonly PromptMessage[] = [];
  readonly #ids = new Set<string>();
  readonly #names = new Map<string, ReadonlySet<string>>();
  readonly #holders = new Map<string, Set<PromptMessage>>();
  /** What was asked about the newest request: edits need, and calls copy, the same lines. */
  readonly #asked = new Map<string, boolean>();
  /** The message that showed the line asked for last: lines that stand together are asked for together. */
  #witness: PromptMessage | undefined;

  get messages(): readonly PromptMessage[] {
    return this.#messages;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** The messages that hold a name. */
  holders(name: string): ReadonlySet<PromptMessage> {
    return this.#holders.get(name) ?? new Set();
  }

  /** Whether any message shows a line. */
  shows(line: string): boolean {
    const known = this.#asked.get(line);
    if (known !== undefined) return known;
    const found = this.#find(line);
    this.#asked.set(line, found);
    return found;
  }

  #find(line: string): boolean {
    if (this.#witness !== undefined && shows(contentOf(this.#witness), line)) return true;
    const witness = this.#messages.findLast((message) => shows(contentOf(message), line));
    this.#witness = witness ?? this.#witness;
    return witness !== undefined;
  }

  show({ messages }: Pick<RenderedPrompt, "messages">): ViewChange {
    this.#asked.clear();
    this.#witness = undefined;
    const before = this.#messages;
    let same = 0;
    while (same < before.length && same < messages.length && before[same]?.id === messages[same]?.id) same += 1;
    const [gone, come] = [before.slice(same), messages.slice(same)];
    const [goneIds, comeIds] = [idsOf(gone), idsOf(come)];
    const left = gone.filter(({ id }) => !comeIds.has(id));
    const entered = come.filter(({ id }) => !goneIds.has(id));
    for (const message of left) this.#leave(message);
    for (const message of entered) this.#enter(message);
    // Those that stayed are the same text: the objects under which their names are known are kept.
    const known = new Map(gone.map((message) => [message.id, message]));
    this.#messages = [...before.slice(0, same), ...come.map((message) => known.get(message.id) ?? message)];
    return { entered, left };
  }

  #enter(message: PromptMessage): void {
    const names = namesIn(contentOf(message));
    this.#ids.add(message.id);
    this.#names.set(message.id, names);
    for (const name of names) {
      const holders = this.#holders.get(name);
      if (holders === undefined) this.#holders.set(name, new Set([message]));
      else holders.add(message);
    }
  }

  #leave(message: PromptMessage): void {
    const names = this.#names.get(message.id) ?? [];
    this.#ids.delete(message.id);
    this.#names.delete(message.id);
    for (const name of names) {
      const holders = this.#holders.get(name);
      holders?.delete(message);
      if (holders?.size === 0) this.#holders.delete(name);
    }
  }
}

const idsOf = (messages: readonly PromptMessage[]): ReadonlySet<string> => new Set(messages.map(({ id }) => id));
