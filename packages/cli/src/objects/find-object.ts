import { resolve } from "node:path";
import { everyDocument, everyVersion, type ListedVersion, locationOf, type ObjectStore } from "@cm/object-model";
import { sessionAt } from "@cm/session";
import { visibleLine } from "@cm/terminal-text";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { shortHash } from "../output/short-hash.ts";
import { summaryOf } from "./find-session.ts";
import { severalMatch } from "./several-match.ts";

export interface FindOptions {
  /** A session whose aliases count. */
  readonly session?: string | undefined;
  /** Where relative paths begin. */
  readonly cwd: string;
}

/**
 * The id of the object that the user named: an alias of the session, an id, a path of a file that was met or an end of
 * one, or the start of an id that is a hash.
 * @throws CmError `cli/not-found`, `cli/ambiguous` with the matches
 */
export async function findObject(store: ObjectStore, text: string, options: FindOptions): Promise<string> {
  if (options.session !== undefined) {
    const known = await objectOfSession(store, text, options.session);
    if (known !== undefined) return known;
  }
  if (text !== "" && (await store.history(text, { limit: 1 })).versions.length > 0) return text;
  const files = await matchingFiles(store, text, options.cwd);
  const [only, ...others] = files;
  if (only === undefined) throw notFound(text, options);
  if (others.length === 0) return only.id;
  throw severalMatch(
    `objects match ${text}; name one by its id or whole path`,
    files.map((file) => {
      return { id: file.id, line: `${shortHash(file.id)}  ${visibleLine(pathOf(file), limits.fieldCharsMax)}` };
    }),
  );
}

/** By alias, id or path as the session itself sees them. */
async function objectOfSession(store: ObjectStore, text: string, named: string): Promise<string | undefined> {
  const { head } = await summaryOf(store, named);
  if (head === null) return undefined;
  const { objects } = await sessionAt(store, head);
  const whole = objects.find(({ id, alias, path }) => alias === text || id === text || path === text);
  if (whole !== undefined) return whole.id;
  const ending = objects.filter(({ path }) => path?.endsWith(`/${text}`));
  return ending.length === 1 ? ending[0]?.id : undefined;
}

/** The whole path first, then a path that ends so, then one that holds it somewhere; then the start of an id. */
async function matchingFiles(store: ObjectStore, text: string, cwd: string): Promise<readonly ListedVersion[]> {
  const trimmed = text.replace(/^(\.\/)+/, "");
  if (trimmed === "") return [];
  const holding = await filesHolding(store, trimmed);
  const absolute = resolve(cwd, text);
  const whole = holding.filter((file) => pathOf(file) === text || pathOf(file) === absolute);
  if (whole.length > 0) return whole;
  const ending = holding.filter((file) => pathOf(file).endsWith(`/${trimmed}`));
  if (ending.length > 0) return ending;
  if (holding.length > 0) return holding;
  const elsewhere = absolute.endsWith(trimmed) ? [] : await filesHolding(store, absolute);
  return elsewhere.length > 0 ? elsewhere : filesBeginning(store, text);
}

async function filesHolding(store: ObjectStore, path: string): Promise<readonly ListedVersion[]> {
  const found: ListedVersion[] = [];
  for await (const file of everyDocument((page) => store.find({ type: "file", path }, page))) {
    // A whole path among very many is still found; only the list of matches is bounded.
    if (found.length <= limits.matchesMax || pathOf(file).endsWith(path)) found.push(file);
  }
  return found;
}

async function filesBeginning(store: ObjectStore, text: string): Promise<readonly ListedVersion[]> {
  if (text.length < limits.hashPrefixCharsMin || !/^[0-9a-f]+$/.test(text)) return [];
  const found: ListedVersion[] = [];
  for await (const file of everyVersion((page) => store.find({ type: "file" }, page))) {
    if (file.id.startsWith(text) && found.push(file) > limits.matchesMax) break;
  }
  return found;
}

/** The path of a file as its source names it; empty if it is no longer known. */
export function pathOf({ document }: Pick<ListedVersion, "document">): string {
  return document?.source == null ? "" : locationOf(document.source).path;
}

function notFound(text: string, { session }: FindOptions) {
  const where = session === undefined ? "" : ` in session ${session}, nor in the store`;
  if (session === undefined && /^[ft]\d+$/.test(text)) {
    const sentence = `No object has the id or path ${text}; for the ${text} of a session say which, with --session.`;
    return cliError("cli/not-found", sentence, { object: text });
  }
  return cliError(
    "cli/not-found",
    `No object has the id or path ${text}${where}; \`cm files\` lists files, \`cm show SESSION\` what a session met.`,
    { object: text },
  );
}
