import { XtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";

/** Text that stands in the program. Data cannot get into it: there is no way from a string to a `Datalog`. */
class StaticText {
  /** The text as an EDN string literal. */
  readonly #literal: string;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#literal = JSON.stringify(text);
  }

  static textOf(value: unknown): string | undefined {
    return isStaticText(value) ? value.#text : undefined;
  }

  static literalOf(value: unknown): string | undefined {
    return isStaticText(value) ? value.#literal : undefined;
  }

  static is(value: unknown): value is StaticText {
    return typeof value === "object" && value !== null && #literal in value;
  }
}

const isStaticText = StaticText.is;

/** A query made by `datalog`. */
export class Datalog extends StaticText {
  /** Keeps the two kinds of text apart in types as well. */
  readonly kind = "datalog";
}

/** Clojure code made by `clojure`. */
export class Clojure extends StaticText {
  readonly kind = "clojure";
}

/**
 * A query, written as a tagged template: datalog`{:find [e] :in [name] :where [[e :user/name name]]}`. Values go through
 * `:in`; a substitution in the text is refused, by the types and when it runs.
 */
export function datalog(text: TemplateStringsArray, ...values: readonly never[]): Datalog {
  return new Datalog(staticText("datalog", text, values));
}

/** The code of a transaction function, as a tagged template without substitutions. It runs on every node, unconfined. */
export function clojure(text: TemplateStringsArray, ...values: readonly never[]): Clojure {
  return new Clojure(staticText("clojure", text, values));
}

/** A datalog as an EDN string literal. */
export function queryLiteral(query: Datalog): string {
  const literal = query instanceof Datalog ? StaticText.literalOf(query) : undefined;
  if (literal === undefined) {
    throw new XtdbError(
      "xtdb/invalid",
      "query takes datalog`...`, never a string: values go through :in and arguments.",
    );
  }
  return literal;
}

/** Code as it stands in the program. */
export function codeText(code: Clojure): string {
  const text = code instanceof Clojure ? StaticText.textOf(code) : undefined;
  if (text === undefined) throw new XtdbError("xtdb/invalid", "putFunction takes clojure`...`, never a string.");
  return text;
}

function staticText(tag: string, strings: TemplateStringsArray, values: readonly unknown[]): string {
  const [text, ...more] = Array.isArray(strings?.raw) ? strings.raw : [];
  const isTemplate = Array.isArray(strings) && Object.isFrozen(strings) && Object.isFrozen(strings.raw);
  if (!isTemplate || text === undefined || more.length > 0 || values.length > 0) {
    throw new XtdbError(
      "xtdb/invalid",
      `${tag} is a template tag and takes no substitutions; hand values over as arguments.`,
    );
  }
  if (text.length > clientLimits.queryCharsMax) {
    throw new XtdbError("xtdb/invalid", `${tag}: more than ${clientLimits.queryCharsMax} characters.`);
  }
  return text;
}
