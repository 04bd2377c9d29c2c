import contextManagerExtension from "@cm/pi-extension";
import type { ExtensionAPI, ExtensionContext, SessionManager } from "@earendil-works/pi-coding-agent";

type Handler = (event: object, ctx: ExtensionContext) => unknown;

/** Fires Pi's events at what registered for them, in order, as Pi does. */
export interface FakePi {
  readonly ctx: ExtensionContext;
  /** The answer of the last handler. */
  fire(type: string, event?: object): Promise<unknown>;
}

const model = {
  ...{
    id: "model",
    name: "Model",
    api: "anthropic-messages",
    provider: "bench",
    baseUrl: "http://127.0.0.1",
    input: ["text"],
  },
  ...{ reasoning: true, contextWindow: 200_000, maxTokens: 8_192 },
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

const systemPrompt = "You are an expert coding assistant. You help with files, commands and code. ".repeat(40);

/** As much of Pi as the extension asks for, around a real session manager, with the extension loaded. */
export async function fakePi(sessionManager: SessionManager, cwd: string): Promise<FakePi> {
  const handlers = new Map<string, Handler[]>();
  const tools: { readonly name: string }[] = [];
  const pi = {
    on: (type: string, handler: Handler) => void handlers.set(type, [...(handlers.get(type) ?? []), handler]),
    registerTool: (tool: { readonly name: string }) => void tools.push(tool),
    ...{ registerFlag: () => undefined, registerCommand: () => undefined, getFlag: () => undefined },
    ...{
      getAllTools: () => tools,
      getActiveTools: () => tools.map(({ name }) => name),
      setActiveTools: () => undefined,
    },
    appendEntry: (type: string, data: object) => void sessionManager.appendCustomEntry(type, data),
    events: { on: () => () => undefined, emit: () => undefined },
  };
  const ui = { setStatus: () => undefined, notify: () => undefined };
  const ctx = {
    ...{ cwd, mode: "print", hasUI: false, ui, model, sessionManager, isProjectTrusted: () => false },
    ...{ modelRegistry: { find: () => model }, getSystemPrompt: () => systemPrompt, isIdle: () => true },
  };
  await contextManagerExtension(pi satisfies Partial<Record<keyof ExtensionAPI, unknown>>);
  const context = ctx as object as ExtensionContext;
  return {
    ctx: context,
    async fire(type, event = {}) {
      let answer: unknown;
      for (const handler of handlers.get(type) ?? []) answer = await handler({ type, ...event }, context);
      return answer;
    },
  };
}
