import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitBinding } from "@cm/object-model";
import { createGitSource, type GitSource, type GitSourceOptions } from "../../src/index.ts";

export const filesystemId = "f".repeat(64);
export const ample = { contentBytesMax: 1024 * 1024, deadlineMs: 300_000 };

/** What git needs to make commits that are the same on every machine. */
const environment = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.test",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.test",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/** Runs git for a test; gives what it says without the last line break. */
export function git(folder: string, args: readonly string[], input: string | Uint8Array = ""): string {
  const said = execFileSync("git", ["-C", folder, ...args], {
    env: environment,
    input,
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  return said.toString("utf8").replace(/\n$/, "");
}

export type Content = string | Uint8Array | { readonly mode: "120000" | "160000"; readonly target: string };

/** Makes one commit whose files are exactly these, without a working tree; `null` as ref makes it without a branch. */
export function commit(
  folder: string,
  files: ReadonlyMap<string, Content>,
  ref: string | null = "refs/heads/main",
): string {
  const pieces: Buffer[] = [];
  const add = (text: string): void => void pieces.push(Buffer.from(text));
  const data = (bytes: Uint8Array): void => {
    add(`data ${bytes.length}\n`);
    pieces.push(Buffer.from(bytes));
    add("\n");
  };
  add(`commit ${ref ?? "refs/heads/made-for-a-test"}\nmark :1\ncommitter Ada <ada@example.test> 1767225600 +0000\n`);
  data(Buffer.from(`${files.size} files`));
  add("deleteall\n");
  for (const [path, content] of files) {
    if (typeof content === "object" && "mode" in content) {
      if (content.mode === "160000") {
        add(`M 160000 ${content.target} ${quoted(path)}\n`);
        continue;
      }
      add(`M 120000 inline ${quoted(path)}\n`);
      data(Buffer.from(content.target));
      continue;
    }
    add(`M 100644 inline ${quoted(path)}\n`);
    data(typeof content === "string" ? Buffer.from(content) : content);
  }
  add("get-mark :1\n");
  const id = git(folder, ["fast-import", "--quiet", "--force", "--cat-blob-fd=1"], Buffer.concat(pieces));
  if (ref === null) git(folder, ["update-ref", "-d", "refs/heads/made-for-a-test"]);
  return id;
}

/** A path as fast-import reads it, whatever is in it. */
function quoted(path: string): string {
  const bytes = [...Buffer.from(path)];
  return `"${bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
}

/** What tests that failed have left behind. */
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder of a test's own below the system's, with its links resolved. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-sources-git-")));
  folders.add(folder);
  return {
    folder,
    remove() {
      folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface RepositoryForTests {
  /** The folder around it. */
  readonly around: string;
  readonly folder: string;
  readonly source: GitSource;
  binding(path: string, ref?: string): Promise<GitBinding>;
  /** Makes one commit with exactly these files on the branch. */
  commit(files: Readonly<Record<string, Content>>, ref?: string | null): string;
  git(...args: string[]): string;
  /** A bare partial clone that has commits and folders, and fetches files on request. */
  cloneWithoutBlobs(target: string): void;
  moveAway(): void;
  moveBack(): void;
  close(): Promise<void>;
}

/** A repository with a source on it. */
export function openRepository({
  init = ["--bare"],
  ...options
}: Partial<GitSourceOptions> & { readonly init?: readonly string[] } = {}): RepositoryForTests {
  const { folder: around, remove } = temporaryFolder();
  const folder = join(around, "repository");
  mkdirSync(folder);
  git(folder, ["init", "--quiet", "--initial-branch=main", ...init]);
  const source = createGitSource({ filesystemId, repositories: [{ folder }], ...options });
  return {
    around,
    folder,
    source,
    binding: (path, ref = "main") => source.bind({ repository: folder, ref, path }),
    commit: (files, ref = "refs/heads/main") => commit(folder, new Map(Object.entries(files)), ref),
    git: (...args) => git(folder, args),
    cloneWithoutBlobs(target) {
      for (const name of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"])
        git(folder, ["config", name, "true"]);
      git(around, ["clone", "--quiet", "--bare", "--filter=blob:none", `file://${folder}`, target]);
    },
    moveAway: () => renameSync(folder, `${folder}.away`),
    moveBack: () => renameSync(`${folder}.away`, folder),
    async close() {
      await source.close();
      remove();
    },
  };
}
