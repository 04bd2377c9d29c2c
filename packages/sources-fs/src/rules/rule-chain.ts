import ignore, { type Ignore, type TestResult } from "ignore";
import { ruleLimits } from "../limits.ts";

/** Which rule it is that ignores: a file of git's, or one of the user's. */
export type RuleKind = "gitignore" | "user-rule";

/** macOS and Windows do not tell case apart, and git neither there. */
const ignorecase = process.platform === "darwin" || process.platform === "win32";

/**
 * All rules that count in one folder, from the weakest to the strongest, as lines that start from the top. Chains of
 * deeper folders grow out of it. Folders are asked for before what is in them, so nothing is open in a closed one.
 */
export class RuleChain {
  /** What deeper chains inherit: everything but the tail. */
  readonly #inherited: Ignore;
  readonly #tail: Ignore;
  readonly #isEmpty: boolean;
  #all: Ignore;
  #answers = 0;

  private constructor(
    inherited: Ignore,
    tail: { readonly rules: Ignore; readonly isEmpty: boolean },
    isEmpty: boolean,
  ) {
    this.#inherited = inherited;
    this.#tail = tail.rules;
    this.#isEmpty = isEmpty && tail.isEmpty;
    this.#all = ignore({ ignorecase }).add(inherited).add(tail.rules);
  }

  /** `tail` always comes last: the user's rules, and the folders above a root, which a root opens. */
  static start(tail: readonly { readonly pattern: string; readonly mark: RuleKind }[]): RuleChain {
    const rules = { rules: ignore({ ignorecase }).add(tail), isEmpty: tail.length === 0 };
    return new RuleChain(ignore({ ignorecase }), rules, true);
  }

  with(lines: readonly string[]): RuleChain {
    if (lines.length === 0) return this;
    const own = lines.map((pattern) => ({ pattern, mark: "gitignore" }));
    const inherited = ignore({ ignorecase }).add(this.#inherited).add(own);
    return new RuleChain(inherited, { rules: this.#tail, isEmpty: true }, false);
  }

  /** `path` is relative to the top, a folder's with a slash at its end. */
  ignored(path: string): RuleKind | undefined {
    if (this.#isEmpty) return undefined;
    const { ignored, rule } = this.#test(path);
    if (!ignored) return undefined;
    return rule?.mark === "user-rule" ? "user-rule" : "gitignore";
  }

  /** Whether the path is opened by a rule, as against not named by any. */
  reincludes(path: string): boolean {
    return !this.#isEmpty && this.#test(path).unignored;
  }

  #test(path: string): TestResult {
    this.#answers += 1;
    if (this.#answers > ruleLimits.chainAnswersKept) {
      // The library remembers every answer for as long as it lives. A copy has the same compiled rules and no answers.
      this.#all = ignore({ ignorecase }).add(this.#all);
      this.#answers = 0;
    }
    return this.#all.test(path);
  }
}
