import { posix } from "node:path";
import { ruleLimits } from "../limits.ts";
import { enclosingWorkTree, excludeFile, isWorkTreeTop } from "./git-folder.ts";
import { RuleChain, type RuleKind } from "./rule-chain.ts";
import { readRuleFile, ruleFileStamp } from "./rule-file.ts";
import { exactly, fromTop as fromTopOf } from "./rule-lines.ts";
import { secretFileRule } from "./secret-files.ts";

export interface IgnoreOptions {
  /** Local folders; rules are looked for from the top of the git work tree that encloses one, else from the root. */
  readonly roots: readonly string[];
  /**
   * Whether .gitignore files and `.git/info/exclude` count. Default true. `nearest`: only those of the innermost work tree
   * around a file, and none outside of one, as git itself has it in that work tree; for roots that are wider than a project.
   */
  readonly gitignore?: boolean | "nearest";
  /** Whether files that hold credentials are ignored by their names. Default true. */
  readonly secretFiles?: boolean;
  /** Secret files to open, in gitignore syntax, relative to each root. Files that another rule closes stay closed. */
  readonly openSecretFiles?: readonly string[];
  /** Rules in gitignore syntax, relative to each root. They win over all others; `!` opens again. */
  readonly rules?: readonly string[];
}

/**
 * `secret-file` comes with the name or pattern that closed it, as `openSecretFiles` takes it: `secret-file *.tfvars`.
 * `too-deep`: the path is longer than the limits; `unusable-rules`: a rule file is there and cannot be read.
 */
export type IgnoreReason =
  | "git-folder"
  | "gitignore"
  | `secret-file ${string}`
  | "user-rule"
  | "unusable-rules"
  | "too-deep";

/** A folder that is open, and what counts in it. */
export interface Folder {
  readonly name: string;
  /** Its path from the top, with a slash at its end; empty for the top. */
  readonly fromTop: string;
  readonly chain: RuleChain;
  /** The user's rules alone: only they open what is closed by name. */
  readonly userRules: RuleChain;
  /** Which files of secrets the user opens by name. */
  readonly opened: RuleChain;
  /** Whether rule files count in it. */
  readonly hasRuleFiles: boolean;
  /** The known results for its entries; a folder's name has a slash at its end. */
  readonly answers: Map<string, IgnoreReason | undefined>;
}

interface Remembered {
  state: Folder | IgnoreReason;
  readonly parent: Folder | IgnoreReason | undefined;
  /** Whether it was the top of a work tree when its rules were read; scanned again with them. */
  readonly isTop: boolean;
  readonly stamp: string;
  checkedAt: number;
}

interface Place {
  readonly path: string;
  readonly isTop: boolean;
}

interface Top {
  readonly path: string;
  readonly root: string;
  readonly start: RuleChain;
  readonly userRules: RuleChain;
  readonly opened: RuleChain;
}

interface Options {
  /** Absolute, shortest first. */
  readonly roots: readonly string[];
  readonly gitignore?: IgnoreOptions["gitignore"];
  readonly rules?: readonly string[];
  readonly openSecretFiles?: readonly string[];
  readonly entryIgnored: (folder: Folder, name: string, isFolder: boolean) => IgnoreReason | undefined;
}

/** The rules of each folder, found from the top downwards and remembered until a rule file changes. */
export class FolderRules {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #tops = new Map<string, Top>();
  readonly #folders = new Map<string, Remembered>();
  #answers = 0;
  #last: { readonly path: string; readonly remembered: Remembered } | undefined;

  constructor(options: Options, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** The folder, why it is closed, or undefined outside of all roots. */
  at(path: string): Folder | IgnoreReason | undefined {
    const now = this.#now();
    const last = this.#last;
    if (last?.path === path && now - last.remembered.checkedAt < ruleLimits.recheckMs) return last.remembered.state;
    const root = this.#options.roots.find((candidate) => isWithin(path, candidate));
    if (root === undefined) return undefined;
    if (path.split("/", ruleLimits.foldersPerPathMax + 2).length > ruleLimits.foldersPerPathMax) return "too-deep";
    const remembered = this.#scan(path, this.#topOf(root), now);
    this.#last = { path, remembered };
    return remembered.state;
  }

  /** Counts an answer that a folder remembers, so that all of them stay bounded. */
  answered(): void {
    this.#answers += 1;
    if (this.#answers > ruleLimits.answersKept) this.#forget();
  }

  #forget(): void {
    this.#folders.clear();
    this.#last = undefined;
    this.#answers = 0;
  }

  #scan(path: string, top: Top, now: number): Remembered {
    const known = this.#folders.get(path);
    if (known !== undefined && now - known.checkedAt < ruleLimits.recheckMs) return known;
    const parent = path === top.path ? undefined : this.#scan(posix.dirname(path), top, now).state;
    const isClosed = typeof parent === "string" && !this.#mayOpenAgain(path, parent);
    const stamp = isClosed ? "" : this.#stamp(path, known?.isTop);
    if (known !== undefined && known.parent === parent && known.stamp === stamp) {
      known.checkedAt = now;
      return known;
    }
    const isTop = !isClosed && this.#options.gitignore !== false && isWorkTreeTop(path);
    const exact = isTop === (known?.isTop ?? false) ? stamp : this.#stamp(path, isTop);
    const made: Remembered = {
      state: this.#make({ path, isTop }, parent, top),
      parent,
      isTop,
      stamp: exact,
      checkedAt: now,
    };
    if (this.#folders.size >= ruleLimits.foldersKept) this.#forget();
    this.#folders.set(path, made);
    return made;
  }

  #make(place: Place, parent: Folder | IgnoreReason | undefined, top: Top): Folder | IgnoreReason {
    const { path, isTop } = place;
    const name = posix.basename(path);
    const isNearest = this.#options.gitignore === "nearest";
    const isOpenedByTop = (closed: IgnoreReason): boolean => isTop && this.#mayOpenAgain(path, closed);
    if (typeof parent === "string" && !isOpenedByTop(parent)) return parent;
    if (typeof parent === "object" && !isWithin(top.root, path)) {
      const closed = this.#options.entryIgnored(parent, name, true);
      if (closed !== undefined && !isOpenedByTop(closed)) return closed;
    }
    const fromTop = between(top.path, path);
    // A repository inside another one has rules of its own, as in git.
    const inherited = typeof parent !== "object" || isTop ? top.start : parent.chain;
    const hasRuleFiles = !isNearest || isTop || (typeof parent === "object" && parent.hasRuleFiles);
    const chain = hasRuleFiles ? this.#chainOf({ ...place, fromTop }, inherited) : inherited;
    if (typeof chain === "string") return chain;
    const { userRules, opened } = top;
    return { name, fromTop, chain, userRules, opened, hasRuleFiles, answers: new Map() };
  }

  /**
   * Where the nearest work tree counts, one opens itself in what another one ignores; nothing that is closed for more.
   */
  #mayOpenAgain(path: string, closed: IgnoreReason): boolean {
    if (this.#options.gitignore !== "nearest" || closed !== "gitignore") return false;
    return !path.split("/").some((name) => name === ".git" || secretFileRule(name, "", true) !== undefined);
  }

  #chainOf(
    { path, isTop, fromTop }: Place & { readonly fromTop: string },
    inherited: RuleChain,
  ): RuleChain | IgnoreReason {
    if (this.#options.gitignore === false) return inherited;
    const files = [...(isTop ? [excludeFile(path)] : []), ruleFileIn(path)].filter(
      (file) => ruleFileStamp(file) !== "",
    );
    let chain = inherited;
    for (const file of files) {
      const read = readRuleFile(file);
      if (read === "unusable") return "unusable-rules";
      chain = chain.with(read.lines.map((line) => fromTopOf(line, fromTop)).filter((line) => line !== undefined));
    }
    return chain;
  }

  #stamp(path: string, isTop = false): string {
    if (this.#options.gitignore === false) return "";
    const top = this.#options.gitignore === "nearest" && isWorkTreeTop(path) ? "top|" : "";
    const own = top + ruleFileStamp(ruleFileIn(path));
    return isTop ? `${own}|${ruleFileStamp(excludeFile(path))}` : own;
  }

  #topOf(root: string): Top {
    const known = this.#tops.get(root);
    if (known !== undefined) return known;
    const path = (this.#options.gitignore === false ? undefined : enclosingWorkTree(root)) ?? root;
    const inside = this.#options.roots.filter((other) => isWithin(other, root));
    const user = inside.flatMap((other) => userLines(this.#options.rules ?? [], between(path, other)));
    const opened = foldersOf(between(path, root)).map((folder) => mark(`!${exactly(folder)}`, "gitignore"));
    const secrets = (this.#options.openSecretFiles ?? []).map((pattern) => `!${pattern}`);
    const top = {
      path,
      root,
      start: RuleChain.start([...opened, ...user]),
      userRules: RuleChain.start(user),
      opened: RuleChain.start(inside.flatMap((other) => userLines(secrets, between(path, other)))),
    };
    this.#tops.set(root, top);
    return top;
  }
}

function ruleFileIn(folder: string): string {
  return `${folder === "/" ? "" : folder}/.gitignore`;
}

function userLines(rules: readonly string[], folder: string) {
  return rules.flatMap((rule) => {
    const line = fromTopOf(rule, folder);
    return line === undefined ? [] : [mark(line, "user-rule")];
  });
}

function mark(pattern: string, kind: RuleKind): { readonly pattern: string; readonly mark: RuleKind } {
  return { pattern, mark: kind };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || (path.startsWith(folder) && path[folder.length] === "/");
}

/** The part of `path` below `top`, with a slash at its end, or empty. */
function between(top: string, path: string): string {
  const part = posix.relative(top, path);
  return part === "" ? "" : `${part}/`;
}

/** `a/b/` gives `a/` and `a/b/`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_, n) => `${parts.slice(0, n + 1).join("/")}/`);
}
