import {
  type Basis,
  chatId,
  sealDocument,
  sessionObjectId,
  sha256,
  stepId,
  systemPromptId,
  type Write,
} from "@cm/object-model";
import type { Random } from "./random.ts";

const session = "0197c0de-0000-7000-8000-00000000abcd";
const words = (
  "the a to of and in is it file test error return const function import from await async string number value type " +
  "export class new null undefined true false if else for while match render store read write edit line path name list " +
  "build check update remove add fix handle option config message user session step prompt context token cache index"
).split(" ");

/** One step as a session writes it: a call with its output, the step, and new versions of the two heads. */
export interface SyntheticStep {
  readonly writes: readonly Write[];
  readonly requestId: string;
  /** Text that the step brought: message, arguments and output. */
  readonly textChars: number;
}

/** Writes like a recorded session of 453 steps and 495,000 characters: most outputs short, few long. */
export class SessionWriter {
  readonly #random: Random;
  #chain = "0".repeat(64);
  #heads: readonly Write["expect"][] = ["absent", "absent"];
  #basis: Basis = "s0";

  constructor(random: Random) {
    this.#random = random;
  }

  step(n: number): SyntheticStep {
    const output = this.#text(this.#outputChars());
    const answer = this.#text(100 + this.#random.below(200));
    const command = this.#text(100 + this.#random.below(450));
    const call = this.#call(n, command, output);
    const step = this.#stepDocument(n, call["xt/id"], answer);
    this.#chain = sha256(this.#chain + step.content_hash);
    const [chat, head] = this.#headDocuments(n);
    const [chatToken = "absent", headToken = "absent"] = this.#heads;
    return {
      writes: [
        { document: call, expect: "absent" },
        { document: step, expect: "absent" },
        { document: chat, expect: chatToken },
        { document: head, expect: headToken },
      ],
      requestId: `${step["xt/id"]} ${step.content_hash}`,
      textChars: output.length + answer.length + command.length,
    };
  }

  /** Takes what the commit answered: the next step goes on from there. */
  written(receipt: { readonly basis: Basis; readonly results: readonly { readonly token: string }[] }): void {
    this.#basis = receipt.basis;
    this.#heads = receipt.results.slice(-2).map(({ token }) => token);
  }

  #call(n: number, command: string, output: string) {
    return sealDocument(
      { type: "toolcall", id: `toolu_01${sha256(`${n}`).slice(0, 22)}` },
      {
        content: output,
        tool: "bash",
        args: { command },
        args_display: command.slice(0, 160),
        status: "ok",
        chat_ref: chatId(session),
      },
    );
  }

  #stepDocument(n: number, call: string, text: string) {
    return sealDocument(
      { type: "step", id: stepId({ session, n }) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        n,
        parent: n === 0 ? null : { session, n: n - 1 },
        messages: [
          {
            role: "assistant",
            text,
            calls: [{ call_id: call, tool: "bash", object: call }],
            model: "claude-sonnet-4-5",
          },
          { role: "tool", call_id: call, object: call },
        ],
        turn: n >> 3,
        changes: { index: { added: [call] }, pool: { added: [call] }, active: { added: [call] } },
        layout: "log/1",
        decision: { forms: {} },
        basis: this.#basis,
        prompt_hash: sha256(`prompt ${n}`),
        prompt_chars: 16_000 + n * 1_000,
        kept_chars: 15_000 + n * 1_000,
        usage: { input: 3, output: 90 + this.#random.below(90), cache_read: 9_000 + n * 300, cache_write: 300 },
        recorded_at: 1_760_000_000_000 + n * 9_137,
      },
    );
  }

  #headDocuments(n: number) {
    const head = { session, n };
    const chain = this.#chain;
    const counts = { index_count: n + 1, pool_count: n + 1, active_count: n + 1, pinned_count: 0 };
    return [
      sealDocument(
        { type: "chat", id: chatId(session) },
        {
          content: null,
          session_ref: sessionObjectId(session),
          turn_count: n >> 3,
          step_count: n + 1,
          toolcall_count: n + 1,
          chain,
          head,
        },
      ),
      sealDocument(
        { type: "session", id: sessionObjectId(session) },
        {
          content: null,
          chat_ref: chatId(session),
          system_prompt_ref: systemPromptId(session),
          status: "active",
          next_step: n + 1,
          head,
          chain,
          ...counts,
        },
      ),
    ] as const;
  }

  #outputChars(): number {
    const dice = this.#random.fraction();
    if (dice < 0.7) return 20 + this.#random.below(180);
    return dice < 0.94 ? 200 + this.#random.below(1_300) : 2_000 + this.#random.below(7_000);
  }

  /** Some words come often, most seldom, as in any text. */
  #text(chars: number): string {
    let text = "";
    while (text.length < chars) {
      const word = words[Math.floor(this.#random.fraction() ** 2 * words.length)];
      text += this.#random.chance(0.1) ? `${word}${this.#random.below(100)}\n` : `${word} `;
    }
    return text;
  }
}
