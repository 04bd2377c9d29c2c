import type {
  CommandOutcome,
  ContextHost,
  IncomingResult,
  IncomingUser,
  LeveledObject,
  ObjectList,
  RebuiltPrompt,
  RecallOutcome,
  RenderedPrompt,
  StepReceipt,
  StepRecord,
} from "@cm/context-log";
import { CmError } from "@cm/object-model";
import type { SentRequest } from "./harness-run.ts";
import type { HostWorld } from "./host-world.ts";
import { hashOf, requestOf, type SimpleSession } from "./simple-session.ts";

/** Characters of a request, over which outputs are left out; and of how many steps they stay. */
const charsMax = 20_000;
const stepsKept = 3;

/** Says whether the store answers. */
export interface SimpleStore {
  isAway: boolean;
}

/** A `ContextHost` in memory, as small as one can be: it records, renders again, and leaves old outputs out. */
class SimpleHost implements ContextHost {
  readonly contract = "harness/1";
  readonly session: string;
  readonly #store: SimpleStore;
  readonly #written: SimpleSession;
  #said: IncomingUser[];
  #request: { readonly sent: SentRequest; readonly leftOut: number } | undefined;

  constructor(session: string, written: SimpleSession, store: SimpleStore) {
    this.session = session;
    this.#written = written;
    this.#store = store;
    this.#said = [...written.pending];
  }

  async receive(messages: readonly (IncomingUser | IncomingResult)[]): Promise<void> {
    this.#said.push(...messages.flatMap((message) => (message.role === "user" ? [message] : [])));
    this.#request = undefined;
  }

  async assemble(): Promise<RenderedPrompt> {
    const path = this.#written.pathTo(this.#written.head);
    const before = path.at(-1)?.leftOut ?? 0;
    const whole = requestOf(path, this.#said, before);
    const isLong = whole.messages.reduce((sum, { text }) => sum + text.length, 0) > charsMax;
    const leftOut = isLong ? Math.max(before, path.length - stepsKept) : before;
    this.#request ??= { sent: requestOf(path, this.#said, leftOut), leftOut };
    return rendered(this.#request.sent);
  }

  async record(given: StepRecord): Promise<StepReceipt> {
    this.#checkStore();
    const request = this.#request;
    if (request === undefined) throw new CmError("session/no-request", "No request is open.");
    const record = { ...given, results: (given.results ?? []).map(cleaned) };
    const { steps, head: parent } = this.#written;
    const n = steps.length;
    const taken = new Set(steps.flatMap(({ objects }) => objects));
    const objects = record.results.map(({ callId }, at) => (taken.has(callId) ? `${callId}@${n}.${at}` : callId));
    const { leftOut, sent } = request;
    steps.push({ n, parent, said: this.#said, record, objects, leftOut, hash: hashOf(sent) });
    this.#written.head = n;
    this.#written.pending = [];
    this.#said = [];
    this.#request = undefined;
    return { n, basis: `${n}`, decision: {} };
  }

  async command(): Promise<CommandOutcome> {
    return { done: false, reason: "This host has no sets." };
  }

  async recall(): Promise<RecallOutcome> {
    return { done: false, reason: "This host has no sets." };
  }

  async amend(): Promise<void> {}

  async objects(): Promise<readonly LeveledObject[]> {
    return [];
  }

  async list(): Promise<ObjectList> {
    return { objects: [] };
  }

  async promptAt(n: number): Promise<RebuiltPrompt> {
    const { prompt, promptHash } = this.#written.stored().steps[n] ?? {};
    if (prompt === undefined || promptHash === undefined)
      throw new CmError("session/not-found", `There is no step ${n}.`);
    return { prompt: rendered(prompt), hash: prompt.hash, recordedHash: promptHash, complete: true, missing: [] };
  }

  async close(): Promise<void> {
    this.#checkStore();
    this.#written.pending = this.#said;
  }

  #checkStore(): void {
    if (this.#store.isAway) throw new CmError("store/unavailable", "The store does not answer.");
  }
}

/** A world of sessions in memory, which all features but other processes' are tried on. */
export function simpleWorld(sessions: Map<string, SimpleSession>, begin: () => SimpleSession): HostWorld {
  const store: SimpleStore = { isAway: false };
  return {
    async open(session) {
      const written = sessions.get(session) ?? begin();
      sessions.set(session, written);
      return new SimpleHost(session, written, store);
    },
    async goBack(session, n) {
      const written = sessions.get(session);
      if (written !== undefined) written.head = n ?? undefined;
    },
    setOffline(isAway) {
      store.isAway = isAway;
    },
    stored: async (session) => sessions.get(session)?.stored(),
  };
}

const cleaned = (result: IncomingResult): IncomingResult => ({
  ...result,
  text: result.text?.replace(/ghp_\w{36}/g, "[redacted:token]") ?? null,
});

function rendered({ system, messages }: SentRequest): RenderedPrompt {
  return {
    layout: "simple/1",
    system,
    messages: messages.map(({ images = [], ...message }, at) => ({
      ...message,
      id: `${at}`,
      chars: message.text.length,
      ...(images.length === 0
        ? {}
        : { attachments: images.map((hash) => ({ sha256: hash, mime: "image/png", bytes: 0 })) }),
    })),
    chars: 0,
    kept: { messages: 0, chars: 0 },
  };
}
