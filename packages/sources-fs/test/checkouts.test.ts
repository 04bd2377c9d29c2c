// @module-tag process
// Verifies: SSOT 3.6 (a resumed session says when its files lie in another work tree or at another commit).
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder } from "./support/folder.ts";
import { here, openSource } from "./support/source.ts";

describe("the work trees of a source", () => {
  it("are told with branch and commit, as git names them, whatever folder of theirs is the root", async () => {
    const top = clone();
    mkdirSync(join(top, "src/deep"), { recursive: true });

    const [fromTop, fromBelow] = [await only(top), await only(join(top, "src/deep"))];

    expect(fromTop).toMatchObject({ namespace: here.filesystemId, root: top, branch: "main", commit: commitOf(top) });
    expect(fromBelow).toEqual(fromTop);
  });

  it("follow a commit, a branch, a detached head and packed refs", async () => {
    const top = clone();
    const source = openSource(top);
    const now = async () => (await source.checkouts())[0];

    commit(top, "second");
    expect(await now()).toMatchObject({ branch: "main", commit: commitOf(top) });
    git(top, "checkout", "-q", "-b", "topic/long name".replace(" ", "-"));
    expect(await now()).toMatchObject({ branch: "topic/long-name", commit: commitOf(top) });
    git(top, "pack-refs", "--all");
    expect(await now()).toMatchObject({ branch: "topic/long-name", commit: commitOf(top) });
    git(top, "checkout", "-q", "--detach", "HEAD~1");
    expect(await now()).toMatchObject({ commit: commitOf(top) });
    expect(await now()).not.toHaveProperty("branch");
  });

  it("share the repository's name between linked work trees, and between clones of one origin", async () => {
    const top = clone();
    const linked = join(freshFolder(), "linked");
    git(top, "worktree", "add", "-q", "-b", "other", linked);

    const [main, other] = [await only(top), await only(linked)];
    expect(other).toMatchObject({ root: linked, branch: "other", commit: commitOf(top), repository: main?.repository });

    const second = clone();
    git(top, "remote", "add", "origin", "https://ada:secret@example.org/team/project.git");
    git(second, "remote", "add", "origin", "git@example.org:team/project");
    const remotes = [await only(top), await only(second)].map((checkout) => checkout?.repository);
    expect(remotes).toEqual(["example.org/team/project", "example.org/team/project"]);
  });

  it("are found directly below a root that lies in none", async () => {
    const folder = freshFolder();
    for (const name of ["b", "a"]) clone(join(folder, name));
    mkdirSync(join(folder, "plain"));

    const roots = (await openSource(folder).checkouts()).map(({ root }) => root);

    expect(roots).toEqual([join(folder, "a"), join(folder, "b")]);
  });

  it("are told of a root inside another one, too", async () => {
    const folder = freshFolder();
    const project = clone(join(folder, "deep/project"));

    const roots = (await openSource([folder, project]).checkouts()).map(({ root }) => root);

    expect(roots).toEqual([project]);
  });

  it("are said without a commit before the first one, and not at all without git", async () => {
    const folder = freshFolder();
    git(folder, "init", "-q", "-b", "main");

    const unborn = await only(folder);
    rmSync(join(folder, ".git"), { recursive: true });

    expect(unborn).toMatchObject({ branch: "main" });
    expect(unborn).not.toHaveProperty("commit");
    expect(await openSource(folder).checkouts()).toEqual([]);
  });

  it("do not follow a reference that leads out of the repository", async () => {
    const folder = freshFolder();
    git(folder, "init", "-q");
    writeFileSync(join(folder, "elsewhere"), "a".repeat(40));
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/../../../elsewhere\n");

    const checkout = await only(folder);

    expect(checkout?.root).toBe(folder);
    expect(checkout).not.toHaveProperty("commit");
  });
});

async function only(root: string) {
  const checkouts = await openSource(root).checkouts();
  expect(checkouts.length).toBeLessThanOrEqual(1);
  return checkouts[0];
}

function clone(top = freshFolder()): string {
  mkdirSync(top, { recursive: true });
  git(top, "init", "-q", "-b", "main");
  commit(top, "first");
  return top;
}

function commit(top: string, text: string): void {
  writeFileSync(join(top, "file.txt"), text);
  git(top, "add", "-A");
  git(top, "commit", "-q", "-m", text);
}

const commitOf = (top: string): string => git(top, "rev-parse", "HEAD").trim();

function git(top: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", top, ...who, ...args], { encoding: "utf8" });
}
