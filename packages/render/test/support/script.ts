import { type ContextPolicy, defaultPrices, type JsonObject, type RenderedPrompt } from "@cm/object-model";
import { RecordedSession, type SessionRequest } from "@cm/testkit";
import { logLayout } from "../../src/layouts/log.ts";
import { contextLogPolicy } from "../../src/policies/context-log/context-log.ts";

/** Plays a session by hand: one call a step, with as few words as a test needs. */
export class Script {
  readonly session: RecordedSession;
  #calls = 0;

  constructor(policy: ContextPolicy = contextLogPolicy({ floor: 0 })) {
    this.session = new RecordedSession({ policy, renderer: logLayout });
    this.say("Do it.");
  }

  /** A user prompt. */
  say(text: string): void {
    this.session.add({ kind: "user", text });
  }

  /** A request, the model's answer with one call, and its result. Returns the call's id, which is its object's. */
  call(tool: string, args: JsonObject, text: string, options: { failed?: boolean; thinking?: boolean } = {}): string {
    this.session.request();
    const callId = `c${this.#calls}`;
    this.#calls += 1;
    const thinking = options.thinking === true ? [{ text: "Hm.", signature: "s" }] : [];
    this.session.add({ kind: "assistant", text: "", thinking, calls: [{ callId, tool, args }] });
    this.session.add({ kind: "result", callId, text, failed: options.failed ?? false });
    return callId;
  }

  read(path: string, text: string): string {
    return this.call("read", { path }, text);
  }

  /** Short commands that let the clocks run. */
  idle(calls: number): void {
    for (let call = 0; call < calls; call += 1) this.call("bash", { command: "ls" }, "a");
  }

  /** The next request, and what stands in it for a call. */
  request(): SessionRequest & { readonly shown: (callId: string) => string } {
    const request = this.session.request();
    const shown = (callId: string): string =>
      request.prompt.messages.find((message) => message.callId === callId)?.text ?? "";
    return { ...request, shown };
  }
}

/** Folds nothing while a session is played. */
export const foldsNothing: ContextPolicy = { contract: "policy/1", name: "folds nothing", decide: () => ({}) };

/** What a policy makes of a session that was played so far without any fold, in a cold cache. */
export function foldedCold(script: Script, policy: ContextPolicy): RenderedPrompt {
  const view = { ...script.session.view(), cache: "cold" as const };
  return logLayout.render(view, policy.decide(view, defaultPrices));
}

/** Some lines of text, different for each seed. */
export function lines(count: number, seed = "line"): string {
  return Array.from({ length: count }, (_, number) => `${seed} number ${number} of a longer text`).join("\n");
}

/** The same as Claude Code prints it. */
export function numberedLines(count: number, seed = "line", from = 1): string {
  return lines(count, seed)
    .split("\n")
    .map((line, index) => `${String(index + from).padStart(6)}→${line}`)
    .join("\n");
}
