import type { StepAddress } from "@cm/object-model";
import type { PathRow } from "./origins.ts";

const hashBytes = 32;
const rowsAtFirst = 64;
const flag = { answered: 1, erased: 2 } as const;

/**
 * The steps of a path, in order. A session holds a row for each of them as long as it is open, so a row takes some fifty
 * bytes: numbers in columns, a hash as its bytes, and a session's name where it begins.
 */
export class StepPath implements Iterable<PathRow> {
  #length = 0;
  #columns = columnsFor(rowsAtFirst);
  /** From which place on the steps are those of a session. */
  readonly #sessions: { readonly from: number; readonly session: string }[] = [];
  /** What is no SHA-256, as only a damaged store has it. */
  readonly #otherHashes = new Map<number, string>();

  get length(): number {
    return this.#length;
  }

  push({ address, contentHash, end, turn, answered, isErased }: PathRow): void {
    const place = this.#length;
    if (place === this.#columns.ns.length) this.#columns = grown(this.#columns);
    const { ns, ends, turns, flags, hashes } = this.#columns;
    if (this.#sessions.at(-1)?.session !== address.session)
      this.#sessions.push({ from: place, session: address.session });
    ns[place] = address.n;
    ends[place] = end;
    turns[place] = turn;
    flags[place] = (answered ? flag.answered : 0) + (isErased ? flag.erased : 0);
    if (!isWritten(hashes, contentHash, place * hashBytes)) this.#otherHashes.set(place, contentHash);
    this.#length += 1;
  }

  at(place: number): PathRow | undefined {
    const address = this.address(place);
    if (address === undefined) return undefined;
    const { ends, turns, flags } = this.#columns;
    const flagged = flags[place] ?? 0;
    return {
      address,
      contentHash: this.#hash(place),
      end: ends[place] ?? 0,
      turn: turns[place] ?? 0,
      answered: (flagged & flag.answered) !== 0,
      isErased: (flagged & flag.erased) !== 0,
    };
  }

  /** Where in the log a step ends; 0 before the first. */
  endOf(place: number): number {
    return place < 0 || place >= this.#length ? 0 : (this.#columns.ends[place] ?? 0);
  }

  /** The step that an entry of the log is from, by its place on the path; the newest for what came since. */
  stepOf(at: number): number {
    let [low, high] = [0, this.#length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.endOf(middle) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  address(place: number): StepAddress | undefined {
    if (!Number.isInteger(place) || place < 0 || place >= this.#length) return undefined;
    let [low, high] = [0, this.#sessions.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#sessions[middle]?.from ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return { session: this.#sessions[low]?.session ?? "", n: this.#columns.ns[place] ?? 0 };
  }

  *[Symbol.iterator](): Generator<PathRow> {
    for (let place = 0; place < this.#length; place += 1) yield this.at(place) as PathRow;
  }

  copy(): StepPath {
    const copy = new StepPath();
    copy.#length = this.#length;
    copy.#columns = grown(this.#columns, this.#columns.ns.length);
    copy.#sessions.push(...this.#sessions);
    for (const [place, hash] of this.#otherHashes) copy.#otherHashes.set(place, hash);
    return copy;
  }

  #hash(place: number): string {
    const start = place * hashBytes;
    return this.#otherHashes.get(place) ?? this.#columns.hashes.toString("hex", start, start + hashBytes);
  }
}

/** False for what is no SHA-256: the bytes there mean nothing then. A pattern would look at each character once more. */
function isWritten(hashes: Buffer, hash: string, start: number): boolean {
  const isLower = hash.length === 2 * hashBytes && hash === hash.toLowerCase();
  return isLower && hashes.write(hash, start, hashBytes, "hex") === hashBytes;
}

interface Columns {
  readonly ns: Float64Array;
  readonly ends: Uint32Array;
  readonly turns: Int32Array;
  readonly flags: Uint8Array;
  readonly hashes: Buffer;
}

function columnsFor(rows: number): Columns {
  return {
    ns: new Float64Array(rows),
    ends: new Uint32Array(rows),
    turns: new Int32Array(rows),
    flags: new Uint8Array(rows),
    hashes: Buffer.alloc(rows * hashBytes),
  };
}

/** The same rows with room for more: a half more each time, so that little of it stays empty. */
function grown(old: Columns, rows = Math.ceil(old.ns.length * 1.5)): Columns {
  const columns = columnsFor(rows);
  columns.ns.set(old.ns);
  columns.ends.set(old.ends);
  columns.turns.set(old.turns);
  columns.flags.set(old.flags);
  columns.hashes.set(old.hashes);
  return columns;
}
