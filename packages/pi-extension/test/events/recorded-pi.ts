import { EventEmitter } from "node:events";
import { resolve } from "node:path";
import type { ExtensionAPI, ExtensionContext, PiMessage, SessionEntry } from "../../src/pi/pi-types.ts";
import type { Recording } from "./recording.ts";

type Handler = (event: unknown, ctx: ExtensionContext) => unknown;

/** Plays Pi to the extension, over the entries of a recording; what the extension appends stands on the branch, too. */
export class RecordedPi {
  readonly #handlers = new Map<string, Handler[]>();
  readonly #entries: readonly SessionEntry[];
  /** By the id of the entry that they stand behind. */
  readonly #appended = new Map<string | null, SessionEntry[]>();
  readonly #bus = new EventEmitter();
  readonly #tools: { readonly name: string }[] = [];
  readonly #session: string;
  readonly #folder: string;
  /** What the extension asked of Pi that this file does not have, by name. It may have swallowed the error. */
  readonly missing: string[] = [];
  #leaf: string | null = null;
  #newest = -1;

  constructor({ entries }: Recording, session: string, folder: string) {
    this.#entries = entries[session] ?? [];
    this.#session = session;
    this.#folder = folder;
  }

  get leaf(): string | null {
    return this.#leaf;
  }

  set leaf(id: string | null) {
    this.#leaf = id;
    const place = this.#entries.findIndex((entry) => entry.id === id);
    this.#newest = Math.max(this.#newest, place);
  }

  /** The parts that the extension uses. */
  get api(): ExtensionAPI {
    return this.#partOf<ExtensionAPI>({
      on: (type: string, handler: Handler) => {
        this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
        return () => {};
      },
      registerTool: (tool: { readonly name: string }) => void this.#tools.push(tool),
      registerCommand: () => {},
      registerFlag: () => {},
      getFlag: () => undefined,
      getActiveTools: () => this.#tools.map(({ name }) => name),
      setActiveTools: () => {},
      getAllTools: () => this.#tools,
      appendEntry: (customType: string, data: unknown) => this.#append(customType, data),
      events: {
        emit: (name: string, data: unknown) => this.#bus.emit(name, data),
        on: (name: string, handler: (data: unknown) => void) => {
          this.#bus.on(name, handler);
          return () => this.#bus.off(name, handler);
        },
      },
    });
  }

  /** What the handlers give for an event, in their order. @throws what they throw */
  async tell(type: string, event: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
    const given: unknown[] = [];
    for (const handler of this.#handlers.get(type) ?? []) given.push(await handler({ type, ...event }, this.#ctx));
    return given;
  }

  branch(): SessionEntry[] {
    const byId = new Map(this.#entries.map((entry) => [entry.id, entry]));
    const branch: SessionEntry[] = [];
    for (let at = this.leaf; at !== null; at = byId.get(at)?.parentId ?? null) {
      const entry = byId.get(at);
      branch.unshift(...(entry === undefined ? [] : [entry]), ...(this.#appended.get(at) ?? []));
    }
    return [...(this.#appended.get(null) ?? []), ...branch];
  }

  get #ctx(): ExtensionContext {
    return this.#partOf<ExtensionContext>({
      cwd: resolve(this.#folder, "work"),
      hasUI: false,
      isProjectTrusted: () => false,
      ui: this.#partOf<ExtensionContext["ui"]>({ setStatus: () => {}, notify: () => {} }),
      model: undefined,
      thinkingLevel: "off",
      modelRegistry: this.#partOf<ExtensionContext["modelRegistry"]>({ find: () => undefined }),
      getSystemPrompt: () => "Be brief.",
      isIdle: () => false,
      sessionManager: this.#partOf<ExtensionContext["sessionManager"]>({
        getSessionId: () => this.#session,
        getHeader: () => null,
        getLeafId: () => this.branch().at(-1)?.id ?? null,
        getEntry: (id: string) => this.#all().find((entry) => entry.id === id),
        getBranch: () => this.branch(),
        getEntries: () => this.#all(),
      }),
    });
  }

  /** All branches, as far as they had grown. */
  #all(): SessionEntry[] {
    const recorded = this.#entries.slice(0, this.#newest + 1);
    return [...recorded, ...[...this.#appended.values()].flat()];
  }

  #append(customType: string, data: unknown): void {
    const here = this.#appended.get(this.leaf) ?? [];
    const parentId = this.branch().at(-1)?.id ?? null;
    const id = `own ${this.leaf} ${here.length}`;
    const timestamp = new Date(0).toISOString();
    this.#appended.set(this.leaf, [...here, { type: "custom", customType, data, id, parentId, timestamp }]);
  }

  /** Whatever the extension uses besides is missing. */
  #partOf<T extends object>(part: { readonly [name in keyof T]?: unknown }): T {
    return new Proxy(Object.create(null), {
      get: (_target, name) => {
        if (name in part) return part[name as keyof T];
        this.missing.push(String(name));
        return undefined;
      },
      has: (_target, name) => name in part,
    });
  }
}

export type ContextAnswer = { readonly messages: readonly PiMessage[] } | undefined;
