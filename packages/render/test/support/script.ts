import { type ContextPolicy, defaultPrices, type RenderedPrompt } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import { ScriptedSession } from "@cm/testkit";
import { logLayout } from "../../src/layouts/log.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";

/** Plays a session under the log's layout, one call a step. Calls give their ids, which are their objects'. */
export class Script {
  readonly #script: ScriptedSession;

  constructor(policy: ContextPolicy = contextLogPolicy({ retentionBudget: 0 })) {
    this.#script = new ScriptedSession({ policy, renderer: logLayout }).say("Do it.");
  }

  get session() {
    return this.#script.session;
  }

  say(text: string): void {
    this.#script.say(text);
  }

  call(tool: string, args: JsonObject, text: string, options: { failed?: boolean; thinking?: boolean } = {}): string {
    const { failed = false, thinking = false } = options;
    const thought = thinking ? { thinking: [{ text: "Hm.", signature: "s" }] } : {};
    return this.#script.call(tool, args, text, { failed, ...thought }).lastCall;
  }

  read(path: string, text: string): string {
    return this.#script.read(path, text).lastCall;
  }

  /** Ends a turn in which another file was written: it did not only gather. */
  nextTurn(): void {
    this.call("write", { path: "other.ts", content: "x" }, "Done.");
    this.say("Next.");
  }

  idle(calls: number): void {
    this.#script.idle(calls);
  }

  request() {
    return this.#script.request();
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
