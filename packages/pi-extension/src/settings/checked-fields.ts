import type * as z from "zod/mini";
import { closestName } from "./closest-name.ts";
import { expectedAt, isListOfOwn } from "./expected.ts";
import { knownNames } from "./file-schema.ts";
import type { ReadJson } from "./json-with-comments.ts";
import { type Problem, quoted } from "./problem.ts";

type Path = readonly (string | number)[];

/** What a file must not say although another one may, and why. */
export type Elsewhere = (name: string) => string | undefined;

interface Checked<File> {
  readonly file: Partial<File>;
  readonly problems: readonly Problem[];
}

/** Passes over a file: what is left of one may be wrong again, such as a list of which nothing is left. */
const passesMax = 4;

/**
 * A file's value as its schema wants it. What is wrong is left aside alone: an entry of a list where the others mean
 * the same without it, else the field. `where` gives the file and the line of a path, for sentences.
 */
export function checkedFields<File>(
  { value, lineOf }: Pick<ReadJson, "value" | "lineOf">,
  {
    schema,
    where,
    elsewhere,
  }: { readonly schema: z.ZodMiniType<File>; readonly where: (line: number) => string; readonly elsewhere: Elsewhere },
): Checked<File> {
  const problems: Problem[] = [];
  let left = value;
  for (let pass = 0; pass < passesMax; pass += 1) {
    const parsed = schema.safeParse(left);
    if (parsed.success) return { file: parsed.data, problems };
    const found = parsed.error.issues.flatMap((issue) => mistakesOf(issue, elsewhere));
    for (const { path, said, ...rest } of distinct(found)) {
      problems.push({ said: `${where(lineOf(path))}: ${said}`, ...rest });
    }
    if (found.some(({ path }) => path.length === 0)) return { file: {}, problems };
    left = without(left, found);
  }
  return { file: {}, problems };
}

interface Mistake extends Problem {
  /** What is left aside. */
  readonly path: Path;
  /** Entries of the list that stay; absent where it goes as a whole. */
  readonly keep?: number;
}

function mistakesOf(issue: z.core.$ZodIssue, elsewhere: Elsewhere): readonly Mistake[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownName(path, key, elsewhere));
  const place = placeOf(path);
  const setting = typeof path[0] === "string" ? path[0] : "";
  if (issue.code === "too_big" && isListOfOwn(place)) {
    const keep = Number(issue.maximum);
    const holds = `The first ${keep} hold.`;
    return [{ path, keep, said: `${named(path)} has more than ${keep} entries`, holds }];
  }
  return [wrong(unitOf(path), setting)];
}

function wrong(path: Path, setting: string): Mistake {
  const place = placeOf(path);
  if (path.length === 0) {
    return { path, said: `it must be ${expectedAt("")}`, holds: "Nothing of the file is used." };
  }
  const said = `${named(path)} must be ${expectedAt(place)}`;
  if (isListOfOwn(parentOf(place))) {
    const rest = setting === "roots" ? "no file is opened outside of the other folders" : "the rest of the list holds";
    return { path, said, holds: `It is left aside; ${rest}.` };
  }
  if (path.length > 1) return { path, said, holds: "It counts as if it were not there." };
  return { path, said, setting };
}

function unknownName(path: Path, key: string, elsewhere: Elsewhere): Mistake {
  const whole = [...path, key];
  const names = knownNames[placeOf(path)] ?? [];
  const refused = path.length === 0 ? elsewhere(key) : undefined;
  if (refused !== undefined) return { path: whole, said: `${named(whole)} ${refused}`, setting: key };
  const near = closestName(key, names);
  const said = `${named(whole)} is not known${near === undefined ? "" : `; did you mean ${quoted(near)}?`}`;
  return { path: whole, said, holds: "It is left aside." };
}

/** The smallest thing around a mistake that can be left aside. */
function unitOf(path: Path): Path {
  for (let depth = path.length; depth > 1; depth -= 1) {
    const place = placeOf(path.slice(0, depth));
    if (isListOfOwn(parentOf(place)) || /^(protect|models)\.[^.]+$|^models\.\*\.(protect\.)?\w+$/.test(place)) {
      return path.slice(0, depth);
    }
  }
  return path.slice(0, 1);
}

/** `models.*.protect.paths.*`: a path without the names of models and the numbers in lists. */
function placeOf(path: Path): string {
  return path.map((step, n) => (typeof step === "number" || (n === 1 && path[0] === "models") ? "*" : step)).join(".");
}

const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf(".")));

/** `"protect.paths", entry 3`. */
function named(path: Path): string {
  const last = path.at(-1);
  if (typeof last === "number") return `${named(path.slice(0, -1))}, entry ${last + 1}`;
  const [section, model, ...inner] = path;
  if (section !== "models" || model === undefined) return quoted(path.join("."));
  return inner.length === 0
    ? `${quoted(String(model))} in "models"`
    : `${quoted(inner.join("."))} for the model ${quoted(String(model))}`;
}

function distinct(mistakes: readonly Mistake[]): readonly Mistake[] {
  return [...new Map(mistakes.map((mistake) => [JSON.stringify(mistake.path), mistake])).values()];
}

/** The value without what is wrong in it. */
function without(value: unknown, mistakes: readonly Mistake[], at: Path = []): unknown {
  const here = mistakes.find(({ path, keep }) => keep !== undefined && isSame(path, at));
  const isWrong = (step: string | number) =>
    mistakes.some(({ path, keep }) => keep === undefined && isSame(path, [...at, step]));
  if (Array.isArray(value)) {
    const kept = value.slice(0, here?.keep).map((entry, n) => ({ entry: without(entry, mistakes, [...at, n]), n }));
    return kept.filter(({ n }) => !isWrong(n)).map(({ entry }) => entry);
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !isWrong(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, mistakes, [...at, name])]));
}

const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every((step, n) => step === b[n]);
