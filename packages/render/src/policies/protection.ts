import ignore, { type Ignore } from "ignore";
import type { LogParts } from "./log-index/log-parts.ts";
import type { Part } from "./log-index/part.ts";

/** What a person wants to stand in full, as plain data. */
export interface Protection {
  /** Names of tools whose outputs and arguments stay; `*` stands for any characters. */
  readonly tools: readonly string[];
  /**
   * Files whose text stays, in gitignore syntax: `*.md` and `docs/` hold at any depth, and one that begins with `/` counts
   * from the root of the file system.
   */
  readonly paths: readonly string[];
  /** So many of the newest prompts stay with all that came of them; 0 for none. */
  readonly prompts: number;
}

export const noProtection: Protection = { tools: [], paths: [], prompts: 0 };

/** By what a part is protected. */
export type ProtectedBy = "tool" | "path" | "prompt";

/** Which parts of logs a protection holds for. */
export class ProtectedParts {
  readonly #tool: RegExp | undefined;
  readonly #paths: Ignore | undefined;
  readonly #prompts: number;

  constructor({ tools, paths, prompts }: Protection = noProtection) {
    this.#tool = tools.length === 0 ? undefined : new RegExp(`^(?:${tools.map(toolPattern).join("|")})$`, "s");
    this.#paths = paths.length === 0 ? undefined : ignore(matching).add(paths.map(matchingAtAnyDepth));
    this.#prompts = prompts;
  }

  get isEmpty(): boolean {
    return this.#tool === undefined && this.#paths === undefined && this.#prompts === 0;
  }

  /** @param turn of the request that is made */
  by(part: Part, log: LogParts, turn: number): ProtectedBy | undefined {
    if (part.tool !== undefined && this.#tool?.test(part.tool)) return "tool";
    if (this.#paths !== undefined && part.file !== undefined && this.#isFileKept(log.files.pathsOf(part.file)))
      return "path";
    return part.turn > turn - this.#prompts ? "prompt" : undefined;
  }

  #isFileKept(paths: readonly string[]): boolean {
    return paths.some((path) => {
      const relative = path.replace(/^\/+/, "");
      return relative !== "" && this.#paths?.ignores(relative) === true;
    });
  }
}

/** A path may lead out of the folder that it counts from. */
const matching = { ignorecase: false, allowRelativePaths: true } as const;

/** The policy knows no folder that paths could count from: a pattern holds at any depth unless it begins at the root. */
function matchingAtAnyDepth(pattern: string): string {
  const [, not = "", path = ""] = /^(!?)(.*)$/s.exec(pattern) ?? [];
  return path.startsWith("/") || path.startsWith("**/") ? pattern : `${not}**/${path}`;
}

const toolPattern = (name: string): string =>
  name
    .split("*")
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
    .join(".*");
