import type { JsonLine } from "@cm/journal";
import { ImageCount, imageAtUrl } from "../image.ts";
import type {
  RecordedAssistant,
  RecordedCall,
  RecordedEvent,
  RecordedThinking,
  RecordedUsage,
  RecordingContent,
  RecordingOptions,
} from "../recording.ts";
import { SkippedLines } from "../skipped-lines.ts";
import { type CodexItem, type CodexLine, type CodexOutput, type CodexTokens, toCodexLine } from "./line.ts";
import { callOf, saysFailure, textOf } from "./tool-calls.ts";

type At = { readonly at?: Date };

/** An assistant event that is still growing. */
type Answer = { -readonly [Key in keyof RecordedAssistant]: RecordedAssistant[Key] } & Pick<RecordedEvent, "after"> & {
    readonly thinking: RecordedThinking[];
    readonly calls: RecordedCall[];
  };

/**
 * Reads the lines of a Codex rollout one by one. What one call of the model gave stands there item by item, then the
 * results of its tools, then its tokens.
 */
export class CodexReader {
  readonly #skipped = new SkippedLines();
  readonly #images = new ImageCount();
  readonly #tools = new Map<string, string>();
  readonly #activePath: boolean;
  readonly #branches: boolean;
  /** Where the session went back to since the last event. */
  #wentBackTo: { readonly place: number | null } | undefined;
  #events: RecordedEvent[] = [];
  /** Places of the events with which the user's turns begin. */
  #turns: number[] = [];
  #system: string[] = [];
  #session: { readonly id?: string | undefined; readonly cwd?: string | undefined } = {};
  #model: string | undefined;
  #answer: Answer | undefined;
  /** What follows a result is of the next call, also where no tokens stand between them. */
  #answered = false;
  #begun = false;
  #tokensBefore: number | undefined;
  #unnamed = 0;
  #unknown = 0;

  constructor({ activePath = false, branches = false }: RecordingOptions) {
    this.#activePath = activePath;
    this.#branches = branches;
  }

  add(line: JsonLine): void {
    const read = line.value === undefined ? undefined : toCodexLine(line.value);
    if (line.value === undefined) this.#skipped.add(line.number);
    else if (read !== undefined) this.#take(read, timeOf(line.value.timestamp));
  }

  recording(): RecordingContent {
    const unknown = `${this.#unknown === 1 ? "1 item is" : `${this.#unknown} items are`} of an unknown kind and left out.`;
    return {
      sessionId: this.#session.id,
      cwd: this.#session.cwd,
      systemPrompt: this.#system.join("\n\n"),
      events: this.#events,
      ...(this.#wentBackTo === undefined ? {} : { leaf: this.#wentBackTo.place }),
      skipped: this.#skipped,
      warnings: [...this.#images.warnings(), ...(this.#unknown === 0 ? [] : [unknown])],
    };
  }

  #take(line: CodexLine, at: At): void {
    switch (line.kind) {
      case "session":
        this.#open(line.session);
        break;
      case "turn":
        this.#model = line.model ?? this.#model;
        break;
      case "item":
        this.#item(line.item, at);
        break;
      case "unknown-item":
        this.#unknown += 1;
        break;
      case "tokens":
        this.#spent(line.last, line.total);
        break;
      case "said-by-user":
        if (this.#events.at(-1)?.kind === "user") this.#turns.push(this.#events.length - 1);
        break;
      case "aborted":
        if (this.#answer !== undefined) this.#answer.stopReason = "aborted";
        this.#close();
        break;
      case "rolled-back":
        this.#goBack(line.turns);
        break;
      case "compacted":
        this.#close();
        if ((this.#activePath || this.#branches) && line.summary !== "")
          this.#say([{ type: "text", text: line.summary }], at);
    }
  }

  /** A fork has the lines of its origin, too, that session's own among them. */
  #open(session: Extract<CodexLine, { kind: "session" }>["session"]): void {
    if (this.#session.id !== undefined) return;
    this.#session = session;
    const given = session.base_instructions?.text ?? "";
    if (given !== "") this.#system.unshift(given);
  }

  #item(item: CodexItem, at: At): void {
    switch (item.type) {
      case "message":
        if (item.role === "assistant") this.#grow(at).text += textOf(item.content);
        else if (item.role === "user" || this.#begun) this.#say(item.content, at);
        else this.#system.push(textOf(item.content));
        break;
      case "reasoning":
        this.#grow(at).thinking.push(thinkingOf(item));
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        this.#result(item.call_id, { ...item.output, at });
        break;
      case "tool_search_output": {
        const text = JSON.stringify(item.tools ?? []);
        this.#result(item.call_id, { parts: [{ type: "text", text }], success: true, at });
        break;
      }
      default:
        this.#call(item, at);
        break;
    }
  }

  #call(item: CodexItem, at: At): void {
    this.#unnamed += 1;
    const call = callOf(item, this.#unnamed);
    if (call === undefined) return;
    this.#tools.set(call.id, call.name);
    this.#grow(at).calls.push(call);
  }

  #result(callId: string, { parts, success, at }: { parts: CodexOutput; success: boolean | undefined; at: At }): void {
    const text = textOf(parts);
    this.#answered = true;
    this.#push({
      ...{ kind: "result", callId, tool: this.#tools.get(callId), text, ...at },
      failed: success === undefined ? saysFailure(text) : !success,
      attachments: this.#images.readable(imagesIn(parts)),
    });
  }

  #say(parts: CodexOutput, at: At): void {
    this.#answered = true;
    const attachments = this.#images.readable(imagesIn(parts));
    this.#push({ kind: "user", text: textOf(parts), attachments, ...at });
  }

  /** The event of the call that is under way, or of the next one. */
  #grow(at: At): Answer {
    if (this.#answer !== undefined && !this.#answered) return this.#answer;
    const model = this.#model === undefined ? {} : { model: this.#model };
    const answer: Answer = { kind: "assistant", text: "", thinking: [], calls: [], ...model, ...this.#after(), ...at };
    this.#answer = answer;
    this.#answered = false;
    this.#begun = true;
    this.#events.push(answer);
    return answer;
  }

  #push(event: RecordedEvent): void {
    this.#events.push({ ...event, ...this.#after() });
  }

  #after(): Pick<RecordedEvent, "after"> {
    const went = this.#wentBackTo;
    this.#wentBackTo = undefined;
    return went === undefined ? {} : { after: went.place };
  }

  /** The same total again is a message about rate limits. */
  #spent(last: CodexTokens, total: number): void {
    if (total === this.#tokensBefore) return;
    this.#tokensBefore = total;
    if (this.#answer !== undefined) this.#answer.usage = usageOf(last);
    this.#close();
  }

  #close(): void {
    this.#answer = undefined;
  }

  /** What the user took back is a branch of its own. */
  #goBack(turns: number): void {
    this.#close();
    const place = this.#turns.at(-turns) ?? 0;
    const kept = turns > 0 ? this.#turns.slice(0, -turns) : this.#turns;
    if (turns <= 0) return;
    if (this.#activePath) this.#events = this.#events.slice(0, place);
    if (this.#branches) this.#wentBackTo = { place: this.#before(place) };
    if (this.#activePath || this.#branches) this.#turns = kept;
  }

  #before(place: number): number | null {
    const { after = place - 1 } = this.#events[place] ?? {};
    return after === -1 ? null : after;
  }
}

function usageOf({ input_tokens, cached_input_tokens, output_tokens }: CodexTokens): RecordedUsage {
  const cacheRead = Math.min(cached_input_tokens, input_tokens);
  return { input: input_tokens - cacheRead, output: output_tokens, cacheRead, cacheWrite: 0 };
}

function thinkingOf(item: Extract<CodexItem, { type: "reasoning" }>): RecordedThinking {
  const text = textOf(item.content.length > 0 ? item.content : item.summary);
  return { text, ...(item.encrypted_content !== undefined && { signature: item.encrypted_content }) };
}

function imagesIn(parts: CodexOutput) {
  return parts.flatMap(({ type, image_url }) => (type === "input_image" ? [imageAtUrl(image_url)] : []));
}

function timeOf(timestamp: unknown): At {
  const at = new Date(typeof timestamp === "string" ? timestamp : Number.NaN);
  return Number.isNaN(at.getTime()) ? {} : { at };
}
