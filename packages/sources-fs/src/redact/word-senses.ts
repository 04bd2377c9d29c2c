import { isAgainst, mayName, type Strength, strengthOf, wordsOf } from "./name-strength.ts";

/** What one word says. */
export interface WordSense {
  /** The words that it is made of, as {@link wordsOf} joins them. */
  readonly own: string;
  /** It may end a name of secrets. */
  readonly mayName: boolean;
  /** What has this name is known to everybody. */
  readonly isAgainst: boolean;
}

/** More are forgotten together, so that a long text keeps no more of itself than this. */
const sensesMax = 2_000;

/** What the words of one text say. Words stand near several values, and each is looked into once. */
export class WordSenses {
  readonly #words = new Map<string, WordSense>();
  readonly #strengths = new Map<string, Strength>();

  of(word: string): WordSense {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    if (this.#words.size >= sensesMax) this.#words.clear();
    const own = wordsOf(word);
    const sense = { own, mayName: mayName(word), isAgainst: isAgainst(own) };
    this.#words.set(word, sense);
    return sense;
  }

  /**
   * How surely a word says that a secret stands beside it, with the words before it: `API key`. Of what is called, only
   * the last part is its name: `vaults.credentials.create(`.
   */
  strengthOf(phrase: string, word: string, isCalled: boolean): Strength {
    const key = isCalled ? `${phrase}(` : phrase;
    const known = this.#strengths.get(key);
    if (known !== undefined) return known;
    if (this.#strengths.size >= sensesMax) this.#strengths.clear();
    const last = isCalled ? word.slice(word.lastIndexOf(".") + 1) : word;
    const strength = strengthOf(wordsOf(phrase), this.of(last).own);
    this.#strengths.set(key, strength);
    return strength;
  }
}
