// @module-tag process
// Verifies: SSOT 2.3
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRepoName, repoNameOf } from "../src/binding/repo-name.ts";
import { createGitSource } from "../src/index.ts";
import { forEachSeed } from "./support/random.ts";
import { filesystemId, git, openRepository } from "./support/repository.ts";

const nameOf = (address: string): string | undefined =>
  repoNameOf(address, { filesystemId: "fs", folder: "/srv/here" });

describe("the name of a repository", () => {
  it.each([
    ["https://github.com/owner/name", "github.com/owner/name"],
    ["https://github.com/owner/name.git", "github.com/owner/name"],
    ["https://github.com/owner/name.git/", "github.com/owner/name"],
    ["https://github.com/owner/name//", "github.com/owner/name"],
    ["https://github.com//owner//name.git", "github.com/owner/name"],
    ["HTTPS://GitHub.COM/Owner/Name", "github.com/Owner/Name"],
    ["https://ada:pass@github.com/owner/name", "github.com/owner/name"],
    ["https://ada:p@ss@github.com/owner/name", "github.com/owner/name"],
    ["https://token@github.com/owner/name?access=secret#part", "github.com/owner/name"],
    ["https://github.com:443/owner/name", "github.com/owner/name"],
    ["https://github.com:/owner/name", "github.com/owner/name"],
    ["https://github.com:80/owner/name", "github.com:80/owner/name"],
    ["https://git.example:8443/owner/name", "git.example:8443/owner/name"],
    ["https://git.example:08443/owner/name", "git.example:8443/owner/name"],
    ["http://git.example:80/name.git", "git.example/name"],
    ["ssh://git@github.com/owner/name.git", "github.com/owner/name"],
    ["ssh://git@github.com:22/owner/name.git", "github.com/owner/name"],
    ["ssh://git@github.com:2222/owner/name.git", "github.com:2222/owner/name"],
    ["git+ssh://git@github.com/owner/name.git", "github.com/owner/name"],
    ["ssh://git.example/~ada/name", "git.example/~ada/name"],
    ["ssh://ada@[2001:DB8::1]:22/name", "[2001:db8::1]/name"],
    ["git@github.com:owner/name.git", "github.com/owner/name"],
    ["git@github.com:/owner/name.git", "github.com/owner/name"],
    ["github.com:owner/name", "github.com/owner/name"],
    ["ada@git.example:name", "git.example/name"],
    ["ada@[git.example:2222]:owner/name.git", "git.example:2222/owner/name"],
    ["[2001:db8::1]:owner/name.git", "[2001:db8::1]/owner/name"],
    ["git://git.example/name.git", "git.example/name"],
    ["git://git.example:9418/name.git", "git.example/name"],
    ["https://git.example/with%20space/%E4%B8%AD", "git.example/with space/中"],
    ["https://git.example/a%2Fb", "git.example/a%2Fb"],
    ["https://git.example/bad%zz", "git.example/bad%zz"],
    ["https://git.example/.git", "git.example/.git"],
    ["/srv/git/name.git", "fs:/srv/git/name.git"],
    ["/srv/git/name.git/", "fs:/srv/git/name.git"],
    ["../other", "fs:/srv/other"],
    ["./odd:name", "fs:/srv/here/odd:name"],
    ["file:///srv/git/name.git", "fs:/srv/git/name.git"],
    ["file://localhost/srv/git/a%20b", "fs:/srv/git/a b"],
  ])("of %s is %s", (address, name) => {
    expect(nameOf(address)).toBe(name);
  });

  it.each([
    "",
    "https://",
    "https://host",
    "https:///path",
    "https://ada@/path",
    "https://host/",
    "ext::sh -c date",
    "codecommit::region://name",
    "s3://bucket/name",
    "git@host:",
    "https://host/a\nb",
    "https://host/a%0Ab",
    "https://ho st/a",
  ])("of %j is not read from the address", (address) => {
    expect(nameOf(address)).toBeUndefined();
  });

  it("is not made of an address that no binding could hold", () => {
    expect(nameOf(`https://host/${"x".repeat(5_000)}`)).toBeUndefined();
  });

  it("is one for all the ways to a repository, and has none of the credentials", async () => {
    await forEachSeed("is one for all the ways to a repository", 300, (random) => {
      const host = random.pick(["github.com", "git.example", "a-b.c.example"]);
      const path = random.pick(["owner/name", "name", "deep/er/name", "~ada/name", "with.dot"]);
      const secret = random.pick(["hunter2", "p:w", "x@y", "%40%3A", ""]);
      const user = secret === "" ? "" : `ada:${secret}@`;
      const end = random.pick(["", ".git", "/", ".git/"]);
      const shouted = random.chance(0.5) ? host.toUpperCase() : host;
      const address = random.pick([
        `https://${user}${shouted}${random.pick(["", ":443"])}/${path}${end}`,
        `http://${user}${shouted}/${path}${end}`,
        `ssh://${user}${shouted}${random.pick(["", ":22"])}/${path}${end}`,
        `git://${shouted}/${path}${end}`,
        `ada@${shouted}:${path}${end}`,
      ]);

      expect(nameOf(address)).toBe(`${host}/${path}`);
    });
  });

  it("never holds a scheme, a user or a line break, whatever the address", async () => {
    const pieces = [
      "https://",
      "ssh://",
      "git@",
      "ada:secret@",
      "host",
      ":",
      "/",
      "//",
      "name",
      ".git",
      "?",
      "#",
      "%0a",
      "\n",
      "[",
      "]",
      "@",
      "::",
      " ",
      "%",
    ];
    await forEachSeed("never holds a scheme", 3_000, (random) => {
      const address = random.some(9, () => random.pick(pieces)).join("");
      const name = nameOf(address);
      if (name !== undefined) expect(isRepoName(name)).toBe(true);
    });
  });
});

describe("the repository of a binding", () => {
  it("is named by origin, else by the only remote, else by its own folder", async () => {
    const repository = openRepository();
    const named = async (): Promise<string> => {
      // A name stays for the life of a source.
      const source = createGitSource({ filesystemId, repositories: [{ folder: repository.folder }] });
      const { repo } = await source.bind({ repository: repository.folder, ref: "main", path: "a.txt" });
      await source.close();
      return repo;
    };

    expect(await named()).toBe(`${filesystemId}:${repository.folder}`);
    repository.git("remote", "add", "up.stream", "git@git.example:owner/up.git");
    expect(await named()).toBe("git.example/owner/up");
    repository.git("remote", "add", "other", "https://git.example/owner/other");
    expect(await named()).toBe(`${filesystemId}:${repository.folder}`);
    repository.git("remote", "add", "origin", "https://ada:secret@git.example/owner/origin.git");
    expect(await named()).toBe("git.example/owner/origin");
    await repository.close();
  });

  it("is named by the remote that the application says, and by its folder where that is none", async () => {
    const repository = openRepository();
    repository.git("remote", "add", "origin", "https://git.example/owner/fork");
    repository.git("remote", "add", "upstream", "https://git.example/owner/name");
    const named = async (remote: string): Promise<string> => {
      const source = createGitSource({ filesystemId, repositories: [{ folder: repository.folder, remote }] });
      const { repo } = await source.bind({ repository: repository.folder, ref: "main", path: "a.txt" });
      await source.close();
      return repo;
    };

    expect(await named("upstream")).toBe("git.example/owner/name");
    expect(await named("nobody")).toBe(`${filesystemId}:${repository.folder}`);
    await repository.close();
  });

  it("does not depend on what this user's configuration rewrites", async () => {
    const repository = openRepository();
    repository.git("remote", "add", "origin", "https://git.example/owner/name");
    repository.git("config", "url.https://mirror.example/.insteadOf", "https://git.example/");

    expect((await repository.binding("a.txt")).repo).toBe("git.example/owner/name");
    await repository.close();
  });

  it("is the same for a working tree, its git folder and a linked working tree", async () => {
    const repository = openRepository({ init: [] });
    repository.commit({ "a.txt": "text" });
    const linked = join(repository.around, "linked");
    repository.git("worktree", "add", "--quiet", "--detach", linked, "main");
    const folders = [repository.folder, join(repository.folder, ".git"), linked];
    const source = createGitSource({ filesystemId, repositories: folders.map((folder) => ({ folder })) });

    const bound = await Promise.all(
      folders.map((folder) => source.bind({ repository: folder, ref: "main", path: "a.txt" })),
    );

    expect(new Set(bound.map(({ repo }) => repo))).toEqual(new Set([`${filesystemId}:${repository.folder}/.git`]));
    await source.close();
    await repository.close();
  });

  it("must be registered, and must be a repository of its own", async () => {
    const repository = openRepository({ init: [] });
    const inside = join(repository.folder, "inside");
    mkdirSync(inside);
    git(repository.folder, ["config", "user.name", "Ada"]);
    const source = createGitSource({ filesystemId, repositories: [{ folder: inside }] });
    const bind = (folder: string) => source.bind({ repository: folder, ref: "main", path: "a.txt" });

    await expect(bind(repository.folder)).rejects.toMatchObject({ code: "source/unknown-repository" });
    await expect(bind(inside)).rejects.toMatchObject({
      code: "source/unreachable",
      data: { reason: "not a git repository" },
    });
    await source.close();
    await repository.close();
  });
});
