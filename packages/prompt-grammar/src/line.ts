import { field, fieldPattern, parseField } from "./field.ts";

/**
 * A piece of a line of ours, written and read by one description, so that no wording can be changed for one of the two
 * alone. `Name`: the values that it says.
 */
export interface Piece<Name extends string = string> {
  /** Undefined where a value that it says is absent. */
  write(values: Values): string | undefined;
  /** The source of a regular expression. Its groups begin with the prefix, since no two in a line may be named alike. */
  pattern(prefix: string): string;
  /** The values that were found. */
  read(group: Groups): Values;
  readonly says?: Name;
}

type Values = Readonly<Record<string, unknown>>;
type Groups = (name: string) => string | undefined;

/** Pieces with fixed words between them. */
export function words<Name extends string = never>(
  fixed: TemplateStringsArray,
  ...pieces: readonly Piece<Name>[]
): Piece<Name> {
  return {
    write(values) {
      let line = fixed[0] ?? "";
      for (const [place, piece] of pieces.entries()) {
        const said = piece.write(values);
        if (said === undefined) return undefined;
        line += said + (fixed[place + 1] ?? "");
      }
      return line;
    },
    pattern: (prefix) => fixed.map((said, place) => exactly(said) + (pieces[place]?.pattern(prefix) ?? "")).join(""),
    read: (group) => Object.assign({}, ...pieces.map((piece) => piece.read(group))),
  };
}

/** The same, or nothing where a value is absent. */
export function maybe<Name extends string = never>(
  fixed: TemplateStringsArray,
  ...pieces: readonly Piece<Name>[]
): Piece<Name> {
  const piece = words(fixed, ...pieces);
  return {
    ...piece,
    write: (values) => piece.write(values) ?? "",
    pattern: (prefix) => `(?:${piece.pattern(prefix)})?`,
  };
}

/** The first of these whose values are there. */
export function either<Name extends string>(...pieces: readonly Piece<Name>[]): Piece<Name> {
  return {
    write: (values) => pieces.map((piece) => piece.write(values)).find((said) => said !== undefined),
    pattern: (prefix) => `(?:${pieces.map((piece) => piece.pattern(prefix)).join("|")})`,
    read: (group) => Object.assign({}, ...pieces.map((piece) => piece.read(group))),
  };
}

/** One value, as these functions write and read it. */
export function value<Name extends string, Value>(
  name: Name,
  source: string,
  write: (value: Value) => string | undefined,
  read: (text: string) => Value,
): Piece<Name> {
  return {
    write: ({ [name]: said }) => (said === undefined ? undefined : write(said as Value)),
    pattern: (prefix) => `(?<${prefix}${name}>${source})`,
    read: (group) => {
      const found = group(name);
      return found === undefined ? {} : { [name]: read(found) };
    },
  };
}

/** A field as the source of a regular expression, without a group. */
export const fieldSource = `(?:${fieldPattern.slice(1, -1)})`;
const eachField = new RegExp(fieldPattern, "g");

/** A text from outside, as a field. */
export const text = <Name extends string>(name: Name): Piece<Name> => value(name, fieldSource, field, parseField);

/** Such texts with single blanks between them. */
export const texts = <Name extends string>(name: Name): Piece<Name> =>
  value(
    name,
    `${fieldSource}(?: ${fieldSource})*`,
    (each: readonly string[]) => each.map(field).join(" ") || undefined,
    (list) => (list.match(eachField) ?? []).map(parseField),
  );

export const number = <Name extends string>(name: Name): Piece<Name> =>
  value(name, "\\d+", (count: number) => `${count}`, Number);

/** `1 line`, `3 lines`. */
export const count = <Name extends string>(name: Name, word: string): Piece<Name> =>
  value(name, `\\d+ ${word}s?`, (said: number) => counted(said, word), Number.parseInt);

export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** One of a few states, in the words for it. */
export function oneOf<Name extends string>(name: Name, wordsOf: Readonly<Record<string, string>>): Piece<Name> {
  const states = Object.keys(wordsOf);
  const source = Object.values(wordsOf).map(exactly).join("|");
  return value(
    name,
    source,
    (state: string) => wordsOf[state],
    (said) => states.find((state) => wordsOf[state] === said) ?? "",
  );
}

/** Words that stand there where a value is true. */
export const flag = <Name extends string>(name: Name, said: string): Piece<Name> => {
  const piece = value(
    name,
    exactly(said),
    () => said,
    () => true,
  );
  return { ...piece, write: (values) => piece.write(values) ?? "", pattern: (prefix) => `${piece.pattern(prefix)}?` };
};

/** The values of an object within the values; absent where the piece finds none. */
export function within<Name extends string>(name: Name, piece: Piece): Piece<Name> {
  return {
    write: ({ [name]: values }) => (values === undefined ? undefined : piece.write(values as Values)),
    pattern: (prefix) => piece.pattern(`${prefix}${name}_`),
    read: (group) => {
      const found = piece.read((inner) => group(`${name}_${inner}`));
      return Object.keys(found).length === 0 ? {} : { [name]: found };
    },
  };
}

/** The source of a regular expression for these words alone. */
const exactly = (said: string): string => said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines of ours. */
export interface Lines<Said> {
  write(said: Said): string;
  /** Undefined for any other line. */
  read(line: string): Said | undefined;
}

export function lineOf<Said extends object>(piece: Piece<keyof Said & string>): Lines<Said> {
  const pattern = new RegExp(`^${piece.pattern("")}$`);
  return {
    write: (said) => piece.write(said as Values) ?? "",
    read(line) {
      const found = pattern.exec(line);
      return found === null ? undefined : (piece.read((name) => found.groups?.[name]) as Said);
    },
  };
}

/** Lines of several kinds, each with its own piece; one that more than one fits is read as the first. */
export function linesOf<Said extends { readonly kind: string }>(
  pieces: {
    readonly [Kind in Said["kind"]]: Piece<keyof Extract<Said, { kind: Kind }> & string>;
  },
): Lines<Said> {
  const lines = new Map(Object.entries<Piece>(pieces).map(([kind, piece]) => [kind, lineOf<Values>(piece)]));
  return {
    write: (said) => lines.get(said.kind)?.write(said as Values) ?? "",
    read(line) {
      for (const [kind, one] of lines) {
        const values = one.read(line);
        if (values !== undefined) return { kind, ...values } as object as Said;
      }
      return undefined;
    },
  };
}
