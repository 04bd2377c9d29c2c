import { isCmError } from "@cm/object-model";
import { decodeContent } from "@cm/object-model/stored-form";
import type { Database } from "../database.ts";
import { storeLimits } from "../limits.ts";
import { BlockBuilder, type BlockRange } from "./block.ts";
import { Candidates } from "./candidates.ts";
import { askedPlaces, everyPlace, foldText, type Places, placesOf } from "./trigrams.ts";

type AnswerRow = {
  from_bid: number | null;
  through_bid: number | null;
  place_group: number | null;
  texts: Buffer | null;
};
type TextRow = {
  from_bid: number;
  through_bid: number;
  bid: number | null;
  size: number | null;
  enc: number | null;
  data: Buffer | null;
};

/** When a search fills the index, and with how much; see `storeLimits`. */
export interface TextIndexBounds {
  readonly searchBehindTextsMax: number;
  readonly indexBlockTextsMax: number;
  readonly indexBlockBytesMax: number;
  readonly indexBlocksPerSearchMax: number;
}

/** SQLSTATEs of a role that may not, and of a store of an older schema version. */
const withoutIndex = new Set(["42501", "42883"]);

/**
 * The index of texts, which narrows a search down and no more: every text that it names is looked at. Searches fill it, since
 * the server cannot read compressed texts, and commits pay nothing for searches that may never come.
 */
export class TextIndex {
  readonly #database: Database;
  readonly #bounds: TextIndexBounds;
  #mayRead = true;
  #mayFill = true;

  constructor(database: Database, bounds: TextIndexBounds = storeLimits) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /** The texts that may have a folded piece. Undefined: any may. */
  async candidates(piece: string): Promise<Candidates | undefined> {
    const asked = askedPlaces(piece);
    if (asked === undefined || !this.#mayRead) return undefined;
    const found = await this.#ask(asked);
    if (found === undefined || !this.#mayFill || found.unindexed <= this.#bounds.searchBehindTextsMax) return found;
    return (await this.#fill()) ? this.#ask(asked) : found;
  }

  async #ask(asked: ReadonlyMap<number, number>): Promise<Candidates | undefined> {
    const sql = `SELECT * FROM ${this.#database.schema}.text_entries_1($1)`;
    const rows = await orRefused(
      this.#database.call((call) => call.rows<AnswerRow>(sql, [[...asked.keys()]]), { lost: "nothing" }),
    );
    this.#mayRead = rows !== "refused";
    if (rows === "refused") return undefined;
    const last = rows.find(({ from_bid }) => from_bid === null)?.through_bid ?? 0;
    if (last > storeLimits.searchTextsMax) return undefined;
    const blocks: BlockRange[] = [];
    const entries: { from: number; group: number; texts: Buffer }[] = [];
    for (const { from_bid: from, through_bid: through, place_group: group, texts } of rows) {
      if (from === null) continue;
      if (through !== null) blocks.push({ from, through });
      else if (group !== null && texts !== null) entries.push({ from, group, texts });
    }
    return new Candidates({ last, blocks, entries }, asked);
  }

  /** Takes in texts, block by block. @returns whether the index has more than before */
  async #fill(): Promise<boolean> {
    for (let block = 0; block < this.#bounds.indexBlocksPerSearchMax; block += 1) {
      if (!(await this.#fillBlock())) return block > 0;
    }
    return true;
  }

  /** @returns whether there was one to make, and it was made: not where an erasure or another client was faster */
  async #fillBlock(): Promise<boolean> {
    const { schema } = this.#database;
    const next = `SELECT * FROM ${schema}.texts_to_index_1($1, $2)`;
    const values = [this.#bounds.indexBlockTextsMax, this.#bounds.indexBlockBytesMax];
    const rows = await orRefused(this.#database.call((call) => call.rows<TextRow>(next, values), { lost: "nothing" }));
    this.#mayFill = rows !== "refused";
    const [first] = rows === "refused" ? [] : rows;
    if (rows === "refused" || first === undefined) return false;
    const range = { from: first.from_bid, through: first.through_bid };
    const block = new BlockBuilder(range);
    const texts = rows.flatMap(({ bid }) => (bid === null ? [] : [bid]));
    for (const row of rows) if (row.bid !== null) block.add(row.bid, placesOfText(row));
    const entries = block.entries();
    const sql = `SELECT ${schema}.index_texts_1($1, $2, $3, $4, $5, $6) ::int AS made`;
    const made = await orRefused(
      this.#database.call(
        (call) =>
          call.rows<{ made: number }>(sql, [
            range.from,
            range.through,
            texts,
            entries.map(({ group }) => group),
            entries.map((entry) => entry.texts.length),
            Buffer.concat(entries.map((entry) => entry.texts)),
          ]),
        { lost: "repeat" },
      ),
    );
    this.#mayFill = made !== "refused";
    return made !== "refused" && made[0]?.made === 1;
  }
}

/** A text that cannot be decoded is looked at by every search, which then names its object. */
function placesOfText({ size, enc, data }: TextRow): Places {
  if (size === null || enc === null || data === null) return everyPlace();
  try {
    return placesOf(foldText(decodeContent({ size, enc, data })));
  } catch {
    return everyPlace();
  }
}

async function orRefused<T>(call: Promise<T>): Promise<T | "refused"> {
  try {
    return await call;
  } catch (error) {
    if (isCmError(error) && withoutIndex.has(String(error.data.postgres))) return "refused";
    throw error;
  }
}
