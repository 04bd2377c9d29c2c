import { type Action, check, type DenialReason, type Denied, riskOf, type Verdict } from "@cm/governance";
import type { JsonObject } from "@cm/object-model";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { EndedCall } from "../agent/agent-run.ts";
import { allowed, type Verdict as CallVerdict, type CheckedCall } from "../agent/call-checks.ts";
import { textOf } from "../agent/pi-messages.ts";
import { askApproval } from "./ask-approval.ts";
import { madeBy } from "./made-artifacts.ts";
import { realPath } from "./real-path.ts";
import type { TaskContext } from "./task-context.ts";
import { type IntendedCall, intendedCall } from "./tool-actions.ts";

interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

type Ending = "ok" | "failed" | "denied" | "timed_out" | "unknown_tool";

/** Why a call did not run, as its result says it. */
class Refused extends Error {}

/** Asked before each call of a tool, by the tool itself: one that waits for a person holds up no other. */
export class ToolGuard {
  readonly #context: TaskContext;
  readonly #cwd: string;
  /** Calls whose events were told. */
  readonly #told = new Set<string>();
  #known: ReadonlySet<string> = new Set();

  constructor(context: TaskContext, cwd: string) {
    this.#context = context;
    this.#cwd = cwd;
  }

  guarded(tools: readonly AgentTool[]): readonly AgentTool[] {
    this.#known = new Set(tools.map(({ name }) => name));
    return tools.map((tool) => ({
      ...tool,
      execute: (callId: string, args: unknown, ...rest: [signal?: AbortSignal, onUpdate?: never]) =>
        this.#run(
          { callId, tool: tool.name, args: args as JsonObject },
          (given) => tool.execute(callId, given as never, ...rest),
          rest[0],
        ),
    })) as readonly AgentTool[];
  }

  /** Of a call whose tool has no body here: its result is asked for as with every other tool. */
  async beforeElsewhere(call: CheckedCall): Promise<CallVerdict> {
    const intended = intendedCall(call.tool, call.args, this.#cwd);
    this.#requested(call, intended);
    try {
      await this.#permit(call, intended);
      return allowed;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#completed(call, intended, { status: "denied", error: error.message });
      return { do: "deny", reason: error.message };
    }
  }

  /** A call that waits for a person or for its result, behind the end of its task. */
  awaited({ callId, tool, args }: Call): void {
    if (!this.#told.has(callId)) this.#requested({ callId, tool, args }, intendedCall(tool, args, this.#cwd));
  }

  /** A call of an earlier task that is over: what brought its end is no tool of ours, or that has told it. */
  settled({ callId, tool, args, status, text }: EndedCall & { readonly text: string }): void {
    if (this.#told.has(callId)) return;
    const end = status === "ok" ? { outputBytes: Buffer.byteLength(text) } : { error: text };
    this.#completed({ callId, tool, args }, intendedCall(tool, args, this.#cwd), { status, ...end });
  }

  /** A call that ended without its tool: there is none of that name, or another guard refused it. */
  ended(callId: string, tool: string): void {
    if (this.#told.has(callId)) return;
    const call = { callId, tool, args: {} };
    this.#requested(call, undefined);
    this.#completed(call, undefined, { status: this.#known.has(tool) ? "denied" : "unknown_tool" });
  }

  async #run(
    call: Call,
    execute: (args: JsonObject) => ReturnType<AgentTool["execute"]>,
    signal: AbortSignal | undefined,
  ) {
    const { session, now } = this.#context.parts;
    const intended = intendedCall(call.tool, call.args, this.#cwd);
    this.#requested(call, intended);
    let over: (() => void) | undefined;
    let beganMs = now();
    try {
      const args = await this.#permit(call, intended, signal);
      over = session.wait("tool", this.#context.chain);
      beganMs = now();
      const result = await execute(args);
      const outputBytes = Buffer.byteLength(textOf(result.content));
      this.#checkOutput(intended, outputBytes);
      const { chain } = this.#context;
      this.#context.made.push(...madeBy({ tool: call.tool, args: call.args, details: result.details, chain }));
      this.#completed(call, intended, { status: "ok", outputBytes, latencyMs: Math.max(0, now() - beganMs) });
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const status = error instanceof Refused ? "denied" : /\btimed out\b/.test(message) ? "timed_out" : "failed";
      this.#completed(call, intended, { status, error: message, latencyMs: Math.max(0, now() - beganMs) });
      throw error;
    } finally {
      over?.();
    }
  }

  /** @returns the arguments for the tool */
  async #permit(call: Call, intended: IntendedCall | undefined, signal?: AbortSignal): Promise<JsonObject> {
    const { session, now } = this.#context.parts;
    if (session.isPaused || now() >= session.policy.expiresAt) this.#refuse(call, intended, expired);
    if (intended === undefined) return call.args;
    const verdict = this.#verdict(intended);
    if (verdict.outcome === "denied") this.#refuse(call, intended, verdict);
    if (verdict.outcome === "asks") {
      const record = await askApproval({ ...call, capability: intended.capability }, verdict, this.#context, signal);
      if (record.decision === "denied") throw new Refused(denials[record.by]);
      // Much may have changed while it waited: the policy ran out, a file became a link.
      const again = intendedCall(call.tool, call.args, this.#cwd) ?? intended;
      const now = this.#verdict(again);
      if (now.outcome === "denied") this.#refuse(call, again, now);
      return this.#withoutNetwork(call, again.args);
    }
    return this.#withoutNetwork(call, intended.args);
  }

  /** One call may do several things: what is denied wins, then the higher risk. */
  #verdict({ actions, below }: IntendedCall): Verdict {
    const { session, setting, now } = this.#context.parts;
    let asks: Verdict | undefined;
    for (const action of actions) {
      const verdict = check(session.policy, action, now(), setting);
      if (verdict.outcome === "denied") return verdict;
      if (verdict.outcome === "asks") asks ??= verdict;
    }
    if (below !== undefined && this.#isBlockedBelow(below))
      return {
        outcome: "denied",
        reason: "path_blocked",
        message: "The policy blocks a path below this folder; name one beside it.",
      };
    return asks ?? { outcome: "allowed" };
  }

  #isBlockedBelow(folder: string): boolean {
    const { bundle } = this.#context.parts.session.policy;
    const { blockedPaths = [] } = bundle.capabilities.find(({ name }) => name === "File.Read") ?? {};
    const start = folder.endsWith("/") ? folder : `${folder}/`;
    return blockedPaths.some((path) => path.startsWith(start) || (realPath(path) ?? path).startsWith(start));
  }

  /** A shell has the network where the task and the policy give it without rules: those no shell can be held to. */
  async #withoutNetwork({ tool }: Call, args: JsonObject): Promise<JsonObject> {
    if (tool !== "bash" || this.#hasNetwork()) return args;
    const cut = await this.#context.parts.networkCut();
    if (cut === undefined)
      throw new Refused(
        "Not run: this task has no network, and this machine has nothing to cut a command off from it; commands of such tasks run on Linux with unshare or bwrap.",
      );
    return { ...args, command: cut(String(args.command ?? "")) };
  }

  #hasNetwork(): boolean {
    const { session, setting } = this.#context.parts;
    const grant = session.policy.bundle.capabilities.find(({ name }) => name === "Network.Http");
    return (
      setting.allowNetwork &&
      grant !== undefined &&
      grant.allowedDomains === undefined &&
      (grant.blockedDomains ?? []).length === 0
    );
  }

  #refuse(call: Call, intended: IntendedCall | undefined, denied: Denied): never {
    const { session } = this.#context.parts;
    const { reason, message } = denied;
    const target = intended?.actions
      .map(({ path, command, url, tool }) => path ?? command ?? url ?? tool ?? "")
      .join("\n");
    this.#context.say(
      "policy_denied",
      { ...this.#facts(call, intended), reason, ...(target === undefined ? {} : { target }) },
      { severity: "warning" },
    );
    if (reason === "policy_expired") session.pause(reason, this.#context.chain);
    throw new Refused(`Not run: ${message} (${reason})`);
  }

  #checkOutput(intended: IntendedCall | undefined, outputBytes: number): void {
    const { session, now, setting } = this.#context.parts;
    const [action] = intended?.actions ?? [];
    if (action === undefined) return;
    const verdict = check(session.policy, { ...action, outputBytes } satisfies Action, now(), setting);
    if (verdict.outcome === "denied" && verdict.reason === ("output_too_large" satisfies DenialReason))
      throw new Refused(`${verdict.message} (${verdict.reason})`);
  }

  #facts({ callId, tool }: Call, intended: IntendedCall | undefined) {
    const capability = intended?.capability;
    const risk = capability === undefined ? {} : { capability, risk: riskOf(capability) };
    return { callId, toolName: tool.slice(0, 256), ...risk };
  }

  #requested(call: Call, intended: IntendedCall | undefined): void {
    this.#told.add(call.callId);
    this.#context.say("tool_requested", { ...this.#facts(call, intended), arguments: JSON.stringify(call.args) });
  }

  #completed(
    call: Call,
    intended: IntendedCall | undefined,
    ended: {
      readonly status: Ending;
      readonly error?: string;
      readonly outputBytes?: number;
      readonly latencyMs?: number;
    },
  ): void {
    this.#context.say("tool_completed", { ...this.#facts(call, intended), ...ended });
  }
}

const expired: Denied = {
  outcome: "denied",
  reason: "policy_expired",
  message: "The session's policy has expired; resume the session for another.",
};

const denials = {
  answer: "Not run: the person who was asked denied it.",
  silence: "Not run: no approval came within five minutes.",
  ended: "Not run: the task ended before the call was approved.",
} as const;
