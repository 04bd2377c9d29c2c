import { canonicalJson, type PromptMessage, type RenderedPrompt, sha256 } from "@cm/object-model";

const digests = new WeakMap<PromptMessage, string>();

/**
 * SHA-256 chain over a prompt: its system prompt, then every message with role, text, calls, thinking and
 * attachments. One instance follows a session: messages that stood in the prompt before are not hashed again.
 */
export class PromptHasher {
  #system: string | undefined;
  readonly #messages: PromptMessage[] = [];
  /** The chain's value after each message. */
  readonly #values: string[] = [];

  hash(prompt: RenderedPrompt): string {
    const kept = prompt.system === this.#system ? this.#kept(prompt.messages) : 0;
    this.#system = prompt.system;
    this.#messages.length = kept;
    this.#values.length = kept;
    let value = this.#values.at(-1) ?? sha256(`prompt/1 ${prompt.system}`);
    for (const message of prompt.messages.slice(kept)) {
      value = sha256(value + digestOf(message));
      this.#messages.push(message);
      this.#values.push(value);
    }
    return value;
  }

  #kept(messages: readonly PromptMessage[]): number {
    const known = this.#messages;
    const common = Math.min(known.length, messages.length);
    let kept = 0;
    while (kept < common && known[kept] === messages[kept]) kept += 1;
    return kept;
  }
}

/** What the model reads of a message. Its id is a name of ours and stays out. */
function digestOf(message: PromptMessage): string {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const { role, text, thinking, callId, failed, attachments } = message;
  // Arguments by their own hash: together they may have more values than canonical JSON carries.
  const calls = message.calls?.map(({ args, ...call }) => ({ ...call, args: sha256(canonicalJson(args)) }));
  const digest = sha256(canonicalJson({ role, text: sha256(text), thinking, calls, callId, failed, attachments }));
  digests.set(message, digest);
  return digest;
}
