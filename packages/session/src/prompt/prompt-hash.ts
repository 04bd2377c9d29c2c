import { canonicalJson, type PromptMessage, type RenderedPrompt, sha256 } from "@cm/object-model";

const digests = new WeakMap<PromptMessage, string>();

/**
 * SHA-256 chain over a prompt: its system prompt, then every message with role, text, calls, thinking and
 * attachments. One instance follows a session: messages that stood in the prompt before are not hashed again.
 */
export class PromptHasher {
  #system: string | undefined;
  #links: { readonly message: PromptMessage; readonly value: string }[] = [];

  hash(prompt: RenderedPrompt): string {
    if (prompt.system !== this.#system) this.#links = [];
    this.#system = prompt.system;
    const kept = this.#keptLinks(prompt.messages);
    this.#links.length = kept;
    let value = this.#links.at(-1)?.value ?? sha256(`prompt/1 ${prompt.system}`);
    for (const message of prompt.messages.slice(kept)) {
      value = sha256(value + digestOf(message));
      this.#links.push({ message, value });
    }
    return value;
  }

  #keptLinks(messages: readonly PromptMessage[]): number {
    let kept = 0;
    while (kept < this.#links.length && this.#links[kept]?.message === messages[kept]) kept += 1;
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
