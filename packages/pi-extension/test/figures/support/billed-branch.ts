import type { FiguresSide, SessionFigures } from "../../../src/figures/session-figures.ts";
import { noExtensionChanges } from "../../../src/others/extension-changes.ts";
import type { PiMessage, PiModel, SessionEntry } from "../../../src/pi/pi-types.ts";
import { answer, prompt } from "../../compaction/support/entries.ts";

/** Tokens that the provider counted: new and read from the cache. */
export interface Reported {
  readonly input: number;
  readonly cacheRead?: number;
  readonly output?: number;
  readonly model?: string;
}

/** Dollars for a million tokens, by the model's name. */
const costs: Readonly<Record<string, PiModel["cost"]>> = {
  cheap: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 0 },
  dear: { input: 10, output: 50, cacheRead: 1, cacheWrite: 0 },
  unpriced: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** A branch of Pi whose answers say what they cost. */
export class BilledBranch {
  readonly entries: SessionEntry[] = [];
  contextWindow = 200_000;

  side(more: Partial<FiguresSide> = {}): FiguresSide {
    return {
      branch: () => [...this.entries],
      append: (customType, data) => this.#add({ type: "custom", customType, data }),
      head: () => ({ chars: 4_400, ownChars: 400 }),
      retention: "short",
      modelOf: (provider, id) => this.#model(provider, id),
      compaction: () => ({ enabled: true, reserveTokens: 16_384, keepRecentTokens: 2_000 }),
      ...more,
    };
  }

  ask(text: string): void {
    this.#add({ type: "message", message: prompt(text) });
  }

  /** What an extension writes, such as our link. */
  note(customType: string, data: unknown = {}): void {
    this.#add({ type: "custom", customType, data });
  }

  say(text: string, { input, cacheRead = 0, output = 0, model = "cheap" }: Reported): void {
    const said = answer(text);
    if (said.role !== "assistant") throw new Error("It is an answer.");
    const { input: price = 0, output: outputPrice = 0, cacheRead: readPrice = 0 } = costs[model] ?? {};
    const cost = {
      ...{ input: (input * price) / 1e6, output: (output * outputPrice) / 1e6, cacheWrite: 0 },
      ...{ cacheRead: (cacheRead * readPrice) / 1e6 },
    };
    const total = cost.input + cost.output + cost.cacheRead;
    const totalTokens = input + cacheRead + output;
    const usage = { input, output, cacheRead, cacheWrite: 0, totalTokens, cost: { ...cost, total } };
    this.#add({ type: "message", message: { ...said, provider: "p", model, usage } });
  }

  compact(tokensBefore: number, summary = "A summary."): void {
    this.#add({
      type: "compaction",
      summary,
      firstKeptEntryId: this.entries[0]?.id ?? "",
      tokensBefore,
      fromHook: true,
    });
  }

  /** What Pi alone would send. */
  get messages(): readonly PiMessage[] {
    return this.entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  }

  /** A request with these messages, by default all of them, and its answer. */
  request(figures: SessionFigures, reported: Reported, { messages = this.messages, said = "Done." } = {}): void {
    figures.asked(noExtensionChanges, messages);
    this.say(said, reported);
  }

  #model(provider: string, id: string): PiModel {
    const cost = costs[id];
    if (cost === undefined) throw new Error(`There is no model ${id}.`);
    const { contextWindow } = this;
    return {
      ...{ id, name: id, provider, api: "openai-completions", baseUrl: "", reasoning: false, input: ["text"], cost },
      ...{ contextWindow, maxTokens: 8_192 },
    };
  }

  #add(entry: object): void {
    const id = `e${this.entries.length}`;
    const parentId = this.entries.at(-1)?.id ?? null;
    this.entries.push({ ...entry, id, parentId, timestamp: new Date(0).toISOString() } as SessionEntry);
  }
}
