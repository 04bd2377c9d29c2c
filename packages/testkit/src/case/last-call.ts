import assert from "node:assert/strict";
import { limits } from "../limits.ts";

/** How the arguments of a method are told: ids, names and counts, never content. A method without an entry: nothing. */
export type Telling = Readonly<Record<string, (...args: never[]) => string>>;

/** Remembers the last call that a law made of its subject, for the message of a law that fails. */
export class LastCall {
  #told: (() => string) | undefined;

  /** The same object; each call of its methods is remembered, and made with the object itself as `this`. */
  watch<T extends object>(name: string, subject: T, telling: Telling): T {
    // A proxy must show members of a frozen target as they are, so its target is an empty object above the subject.
    return new Proxy(Object.create(subject), {
      get: (_, key) => {
        const member: unknown = Reflect.get(subject, key, subject);
        if (typeof member !== "function" || typeof key !== "string") return member;
        return (...args: never[]) => {
          this.#told = () => `${name}.${key}(${told(telling[key], args)})`;
          return Reflect.apply(member, subject, args);
        };
      },
    });
  }

  /** The error of a law, with the call that it made last. What is no failed assertion becomes one, as its cause. */
  addTo(error: unknown): unknown {
    if (this.#told === undefined) return error;
    const note = `The last call was ${this.#told()}.`;
    if (error instanceof assert.AssertionError) return noted(error, note);
    const said = error instanceof Error ? `${error.name}: ${error.message}` : `A value was thrown: ${typeof error}.`;
    return noted(Object.assign(new assert.AssertionError({ message: said }), { cause: error }), note);
  }
}

/** A hostile argument of a law may be anything, also something that cannot be told. */
function told(tell: Telling[string] | undefined, args: readonly never[]): string {
  try {
    return tell?.(...args) ?? "";
  } catch {
    return "...";
  }
}

function noted(error: assert.AssertionError, note: string): assert.AssertionError {
  const { message, stack } = error;
  error.message = `${message}\n${note}`;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}

/** An id or a name on one line, clipped. */
export function toldName(name: unknown): string {
  const text = JSON.stringify(name) ?? typeof name;
  return text.length <= limits.toldNameCharsMax ? text : `${text.slice(0, limits.toldNameCharsMax)}...`;
}

/** The first few names of many, and how many more there are. */
export function toldNames(names: readonly unknown[]): string {
  const first = names.slice(0, limits.toldNamesMax).map(toldName).join(", ");
  const more = names.length - limits.toldNamesMax;
  return `[${first}${more > 0 ? `, and ${more} more` : ""}]`;
}
