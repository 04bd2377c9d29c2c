import { canonicalJson, sha256 } from "@cm/object-model";
import type { PromptMessage, RenderedPrompt } from "../view.ts";
import { commonStart, keptMessages } from "./common-start.ts";

const digests = new WeakMap<PromptMessage, string>();

/**
 * SHA-256 chain over a prompt: its system prompt, then every message with role, text, calls, thinking and
 * attachments. One instance follows a session: messages that stood in the prompt before are not hashed again.
 */
export class PromptHasher {
  #last: Pick<RenderedPrompt, "system" | "messages"> | undefined;
  /** The chain's value after each message of the last prompt. */
  readonly #values: string[] = [];

  /** @param sent the prompt that this one's `kept` speaks of */
  hash(prompt: RenderedPrompt, sent?: RenderedPrompt): string {
    const kept = prompt.system === this.#last?.system ? this.#kept(prompt, sent) : 0;
    this.#values.length = kept;
    let value = this.#values.at(-1) ?? sha256(`prompt/1 ${prompt.system}`);
    for (let place = kept; place < prompt.messages.length; place += 1) {
      const message = prompt.messages[place];
      if (message === undefined) break;
      value = sha256(value + messageDigest(message));
      this.#values.push(value);
    }
    this.#last = prompt;
    return value;
  }

  #kept(prompt: RenderedPrompt, sent: RenderedPrompt | undefined): number {
    const known = this.#last?.messages ?? [];
    return known === sent?.messages ? keptMessages(prompt, known) : commonStart(prompt.messages, known);
  }
}

/** What the model reads of a message. Its id is a name of ours and stays out. */
export function messageDigest(message: PromptMessage): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const { role, text, thinking, callId, failed, attachments } = message;
  // Arguments by their own hash: together they may have more values than canonical JSON carries.
  const calls = message.calls?.map(({ args, ...call }) => ({ ...call, args: sha256(canonicalJson(args)) }));
  const digest = sha256(canonicalJson({ role, text: sha256(text), thinking, calls, callId, failed, attachments }));
  digests.set(message, digest);
  return digest;
}
