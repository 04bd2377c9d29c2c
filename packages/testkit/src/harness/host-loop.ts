import type { ContextHost, IncomingAttachment, IncomingResult, RenderedPrompt, StepRecord } from "@cm/context-log";
import { defined, nonEmpty, sha256 } from "@cm/object-model";
import type { HarnessImage, HarnessTurn, ScriptedAnswer, ScriptedCall } from "./conversation.ts";
import { hashOf } from "./expected.ts";
import type { SentMessage, SentRequest } from "./harness-run.ts";
import type { HostWorld } from "./host-world.ts";
import { probeResult, probeTool } from "./probe-tool.ts";
import { sentMessage } from "./read-stored-session.ts";

/** What the loop knows of a conversation by itself: the truth, which the session follows. */
type Item =
  | { readonly kind: "said"; readonly text: string; readonly images: readonly HarnessImage[] }
  | { readonly kind: "step"; readonly record: StepRecord };

/** An agent's loop that hands a session what happens, and the session's prompts to a scripted model. */
export class HostLoop {
  readonly requests: SentRequest[] = [];
  readonly #world: HostWorld;
  readonly #session: string;
  #host: ContextHost | undefined;
  #items: Item[] = [];
  /** How many items the session has, and how many of them stand in its steps. */
  #taken = 0;
  #recorded = 0;
  #isRequestOpen = false;
  /** The number of the step that each item went into. */
  readonly #steps = new Map<Item, number>();
  readonly #afterTurn: (readonly Item[])[] = [];
  #good: { readonly prompt: SentRequest; readonly items: number } | undefined;

  constructor(world: HostWorld, session: string) {
    this.#world = world;
    this.#session = session;
  }

  async play(turn: HarnessTurn): Promise<void> {
    const { prompt, images = [], answers, end = "done", store, detached = false, after } = turn;
    if (after !== undefined) await this.#goBack(this.#afterTurn[after] ?? []);
    this.#world.setOffline?.(store === "offline");
    this.#items.push({ kind: "said", text: prompt, images });
    for (const answer of answers) {
      for (let ask = answer.failsFirst === true ? 0 : 1; ask <= 1; ask += 1) {
        const request = await this.#request(detached);
        this.requests.push(ask === 0 || answer.usage === undefined ? request : { ...request, usage: answer.usage });
      }
      this.#items.push({ kind: "step", record: recordOf(answer) });
      if (answer.steer !== undefined) this.#items.push({ kind: "said", text: answer.steer, images: [] });
    }
    this.#afterTurn.push([...this.#items]);
    this.#world.setOffline?.(false);
    if (end === "killed") await this.#die();
    if (end === "restarted") await this.end();
  }

  /** Brings the session up to what happened, and gives it up in an orderly way. */
  async end(): Promise<void> {
    if (this.#items.length > this.#taken) await this.#follow();
    await this.#host?.close?.();
    this.#host = undefined;
  }

  /** As if the process had died: what the session had received and not recorded is gone. */
  async #die(): Promise<void> {
    await this.#host?.abandon?.();
    this.#host = undefined;
    this.#taken = this.#recorded;
    this.#isRequestOpen = false;
    this.#good = undefined;
  }

  async #goBack(items: readonly Item[]): Promise<void> {
    await this.end();
    const step = items.findLast(({ kind }) => kind === "step");
    await this.#world.goBack?.(this.#session, step === undefined ? null : (this.#steps.get(step) ?? null));
    this.#items = [...items];
    this.#taken = items.length;
    this.#recorded = items.length;
    this.#good = undefined;
  }

  async #request(detached: boolean): Promise<SentRequest> {
    if (detached) return { system: "", messages: this.#items.flatMap(plainMessages) };
    try {
      const host = await this.#follow();
      const prompt = sentRequest(await host.assemble());
      this.#isRequestOpen = true;
      this.#good = { prompt, items: this.#items.length };
      return prompt;
    } catch {
      // The last good prompt with what came since: never the raw history.
      const { prompt = { system: "", messages: [] }, items = 0 } = this.#good ?? {};
      return { ...prompt, messages: [...prompt.messages, ...this.#items.slice(items).flatMap(plainMessages)] };
    }
  }

  async #follow(): Promise<ContextHost> {
    const host = this.#host ?? (await this.#world.open(this.#session));
    this.#host = host;
    for (const item of this.#items.slice(this.#taken)) {
      if (item.kind === "said") await host.receive([{ role: "user", text: item.text, ...attached(item.images) }]);
      else {
        if (!this.#isRequestOpen) await host.assemble();
        const { n } = await host.record(item.record);
        this.#isRequestOpen = false;
        this.#steps.set(item, n);
        this.#recorded = this.#taken + 1;
      }
      this.#taken += 1;
    }
    return host;
  }
}

function recordOf({ text, thinking, calls = [], usage }: ScriptedAnswer): StepRecord {
  return {
    answer: { role: "assistant", text, ...defined({ thinking }), calls },
    results: calls.map(resultOf),
    ...defined({ usage }),
  };
}

function resultOf({ callId, tool, args }: ScriptedCall): IncomingResult {
  const result = { role: "tool" as const, callId };
  if (tool !== probeTool) return { ...result, text: `Tool ${tool} not found`, failed: true };
  if (typeof args.block === "string") return { ...result, text: args.block, failed: true };
  if (args.hang === true) return { ...result, text: null, failed: true };
  const { text, failed, images } = probeResult(args);
  return { ...result, text, failed, ...attached(images) };
}

function attached(images: readonly HarnessImage[]): { readonly attachments?: readonly IncomingAttachment[] } {
  if (images.length === 0) return {};
  return { attachments: images.map(({ mime, base64 }) => ({ mime, data: Buffer.from(base64, "base64") })) };
}

function sentRequest({ system, messages }: RenderedPrompt): SentRequest {
  return { system, messages: messages.map(sentMessage) };
}

function plainMessages(item: Item): readonly SentMessage[] {
  if (item.kind === "said") return [{ role: "user", text: item.text, ...pictures(item.images.map(hashOf)) }];
  const { answer, results = [] } = item.record;
  const { text, thinking = [], calls = [] } = answer;
  return [
    {
      role: "assistant",
      text,
      ...nonEmpty({ thinking, calls }),
    },
    ...results.map(({ callId, text: output, failed, attachments = [] }): SentMessage => {
      const images = pictures(attachments.map(({ data }) => sha256(data)));
      return { role: "tool", callId, text: output ?? "", failed, ...images };
    }),
  ];
}

const pictures = (images: readonly string[]): Pick<SentMessage, "images"> => (images.length === 0 ? {} : { images });
