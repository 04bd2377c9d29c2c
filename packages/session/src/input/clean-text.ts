import { type JsonObject, limits } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { limits as own } from "../limits.ts";

/** Replaces secrets before anything is stored (SSOT 5.10) and says how many. Handed in by the app; default: none. */
export type Redactor = (text: string) => { readonly text: string; readonly count: number };

/**
 * Makes text from outside storable: lone surrogates become U+FFFD, since neither UTF-8 nor canonical JSON carries
 * them, and the redactor has its say. Counts what was redacted, for the step's record.
 */
export class TextCleaner {
  readonly #redact: Redactor | undefined;
  #redactions = 0;

  constructor(redact?: Redactor) {
    this.#redact = redact;
  }

  get redactions(): number {
    return this.#redactions;
  }

  text(raw: string): string {
    const wellFormed = raw.toWellFormed();
    if (this.#redact === undefined) return wellFormed;
    const { text, count } = this.#redact(wellFormed);
    this.#redactions += count;
    return text.toWellFormed();
  }

  /**
   * Arguments of a call: every string and every key in them.
   * @throws CmError `session/invalid-input` where they are nested too deeply to be stored
   */
  args(args: JsonObject): JsonObject {
    return this.#value(args, 0) as JsonObject;
  }

  #value(value: unknown, depth: number): unknown {
    if (depth > limits.jsonDepthMax) {
      throw sessionError("session/invalid-input", `A call's arguments pass jsonDepthMax (${limits.jsonDepthMax}).`);
    }
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((element) => this.#value(element, depth + 1));
    if (typeof value !== "object" || value === null) return value;
    // fromEntries defines members, so that a key named __proto__ stays a plain member.
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        this.text(key),
        typeof member === "string" ? this.#named(key, member) : this.#value(member, depth + 1),
      ]),
    );
  }

  /** Some secrets are known by their name only: such a one is shown to the redactor as a line that has both. */
  #named(key: string, member: string): string {
    const alone = this.text(member);
    const prefix = `${key.toWellFormed()}: `;
    if (this.#redact === undefined || alone !== member || prefix.length + alone.length > own.namedCharsMax)
      return alone;
    const line = this.#redact(`${prefix}${alone}`);
    if (line.count === 0 || !line.text.startsWith(prefix)) return alone;
    this.#redactions += line.count;
    return line.text.slice(prefix.length).toWellFormed();
  }
}
