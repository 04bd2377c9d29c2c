import { refusals } from "@cm/object-model";
import type { Bytes, Connection } from "./connection.ts";
import { decodeContent } from "./content-codec.ts";
import { isDamage } from "./errors.ts";
import { type FindSetting, findPlan, findStatement, planFromTexts } from "./find-query.ts";
import { fromOrderedText } from "./ordered-text.ts";
import { fewCandidates, matchOf, reachOf } from "./text-index.ts";
import { foldText, trigramQuery } from "./trigrams.ts";
import type { StampRow } from "./version-rows.ts";

type CandidateRow = StampRow & { bid: number };
type Verdict = "holds" | "holds not" | "damaged";

const selectText = "SELECT size, enc, data FROM blob WHERE bid = ?";

const anyText = "v.bid IS NOT NULL";
const matchingTexts = "(v.bid > :through OR v.bid IN (SELECT rowid FROM text_index WHERE text_index MATCH :match))";

/**
 * As `findRows`, of objects whose text has the piece in it. The index only names candidates: each is decoded and looked
 * at as the contract's reference does it.
 * @throws CmError `store/corrupt` naming an object that the rest of the filter meets and whose text cannot be decoded
 */
export function findRowsByText(connection: Connection, text: string, setting: FindSetting): StampRow[] {
  const piece = foldText(text);
  const verdicts = new Verdicts(connection, piece);
  const found: StampRow[] = [];
  for (const row of candidateRows(connection, { setting, piece, verdicts })) {
    const verdict = verdicts.of(row.bid);
    if (verdict === "damaged") throw refusals.corruptObject(fromOrderedText(row.id), "content");
    if (verdict === "holds") found.push(row);
    if (found.length > setting.find.limit) break;
  }
  return found;
}

/** In the order of ids, read as they are asked for. */
function candidateRows(
  connection: Connection,
  { setting, piece, verdicts }: { setting: FindSetting; piece: string; verdicts: Verdicts },
): Iterable<CandidateRow> {
  const plan = findPlan(connection, setting);
  if (plan === undefined) return [];
  const query = trigramQuery(piece);
  const candidates = query === undefined ? "unknown" : candidatesFor(connection, query);
  if (query === undefined || candidates === "unknown")
    return connection.iterate(findStatement(plan, anyText), plan.values);
  const few = candidates?.filter((bid) => verdicts.of(bid) !== "holds not");
  if (few !== undefined) {
    const fromTexts = planFromTexts(plan, few);
    return connection.iterate(findStatement(fromTexts), fromTexts.values);
  }
  const index = { ":match": matchOf(query), ":through": reachOf(connection).through };
  return connection.iterate(findStatement(plan, matchingTexts), { ...plan.values, ...index });
}

/** An index that is damaged is not asked: compacting the store mends it. */
function candidatesFor(connection: Connection, query: string): readonly number[] | undefined | "unknown" {
  try {
    return fewCandidates(connection, query);
  } catch (error) {
    if (isDamage(error)) return "unknown";
    throw error;
  }
}

/** The result for each text: objects may share one, so it is decoded once. */
class Verdicts {
  readonly #connection: Connection;
  readonly #piece: string;
  readonly #known = new Map<number, Verdict>();

  constructor(connection: Connection, piece: string) {
    this.#connection = connection;
    this.#piece = piece;
  }

  of(bid: number): Verdict {
    const known = this.#known.get(bid);
    if (known !== undefined) return known;
    const verdict = this.#look(bid);
    this.#known.set(bid, verdict);
    return verdict;
  }

  #look(bid: number): Verdict {
    const row = this.#connection.get<{ size: number; enc: number; data: Bytes }>(selectText, bid);
    if (row === undefined) return "holds not";
    try {
      return foldText(decodeContent(row)).includes(this.#piece) ? "holds" : "holds not";
    } catch {
      return "damaged";
    }
  }
}
