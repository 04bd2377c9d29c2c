// @module-tag process
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeSources, observed, sourceOn, text, unreachable } from "./support/observed.ts";
import { ample, git, openRepository, type RepositoryForTests } from "./support/repository.ts";

let repository: RepositoryForTests;
beforeEach(() => {
  repository = openRepository({ init: [] });
});
afterEach(async () => {
  await closeSources();
  await repository.close();
});

describe("files are read from", () => {
  const files = { "a.txt": "one", "folder/deep/b.txt": "two" };
  const paths = Object.keys(files);
  const both = [text("one"), text("two")];
  const other = (): string => join(repository.around, "other");

  it("a bare clone", async () => {
    repository.commit(files);
    git(repository.around, ["clone", "--quiet", "--bare", repository.folder, other()]);

    expect(await observed(other(), paths)).toMatchObject(both);
  });

  it("a linked working tree, which has a HEAD of its own", async () => {
    repository.commit(files);
    const topic = repository.commit({ "a.txt": "topic" }, null);
    repository.git("worktree", "add", "--quiet", "--detach", other(), topic);

    expect(await observed(other(), paths)).toMatchObject(both);
    expect(await observed(other(), ["a.txt"], "HEAD")).toMatchObject([text("topic")]);
    expect(await observed(repository.folder, ["a.txt"], "HEAD")).toMatchObject([text("one")]);
  });

  it("packs and packed refs, also while they are packed", async () => {
    repository.commit(files);
    const bindings = await Promise.all(paths.map((path) => repository.binding(path)));
    const look = () =>
      repository.source.observe(
        bindings.map((binding) => ({ binding })),
        ample,
      );
    expect(await look()).toMatchObject(both);

    repository.git("gc", "--quiet", "--prune=now");
    expect(await look()).toMatchObject(both);
    repository.commit({ ...files, "a.txt": "three" });
    repository.git("repack", "-a", "-d", "--quiet");
    repository.git("pack-refs", "--all", "--prune");
    expect(await look()).toMatchObject([text("three"), text("two")]);
  });

  it("objects that are borrowed from another repository", async () => {
    repository.commit(files);
    git(repository.around, ["clone", "--quiet", "--bare", "--shared", repository.folder, other()]);

    expect(await observed(other(), paths)).toMatchObject(both);
  });

  it("a repository with SHA-256", async () => {
    const long = openRepository({ init: ["--bare", "--object-format=sha256"] });
    const id = long.commit(files);

    const [answer] = await observed(long.folder, ["a.txt"], id);
    expect(answer).toMatchObject(text("one"));
    expect(answer).toHaveProperty("sourceHash", long.git("rev-parse", "main:a.txt"));
    // The beginning of an id is not an id, though it has the length of one elsewhere.
    expect(await observed(long.folder, ["a.txt"], id.slice(0, 40))).toEqual([
      unreachable("the commit is not in this repository"),
    ]);
    await long.close();
  });

  it("a shallow clone, but not from before its beginning", async () => {
    const first = repository.commit({ "a.txt": "old" });
    repository.commit(files);
    git(repository.around, ["clone", "--quiet", "--bare", "--depth=1", `file://${repository.folder}`, other()]);

    expect(await observed(other(), paths)).toMatchObject(both);
    expect(await observed(other(), ["a.txt"], first)).toEqual([unreachable("the commit is not in this repository")]);
  });

  it("a partial clone where it has them, and nothing is fetched where not", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `${n}.txt`);
    repository.commit(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    repository.cloneWithoutBlobs(other());
    const there = repository.git("rev-parse", "main:7.txt");
    git(other(), ["cat-file", "blob", there]);

    const answers = await observed(other(), names);

    expect(answers).toMatchObject(
      names.map((name) =>
        name === "7.txt" ? text("text of 7.txt") : unreachable("an object is not in this repository"),
      ),
    );
    // That they exist is told by the folder, which is here.
    const source = sourceOn(other());
    const binding = await source.bind({ repository: other(), ref: "main", path: "3.txt" });
    expect(await source.observe([{ binding, want: "existence" }], ample)).toEqual([{ kind: "exists" }]);
  });
});

describe("what is not a file of the commit", () => {
  it("is unreachable where something else is there, and absent where git has nothing", async () => {
    const id = repository.commit({ "folder/a.txt": "one" });
    repository.commit({
      "folder/a.txt": "one",
      link: { mode: "120000", target: "folder/a.txt" },
      linked: { mode: "120000", target: "folder" },
      module: { mode: "160000", target: id },
      "run.sh": "exit",
    });

    const answers = await observed(repository.folder, [
      "folder",
      "link",
      "module",
      "module/a.txt",
      "linked/a.txt",
      "folder/a.txt/deeper",
      "folder/b.txt",
      "FOLDER/a.txt",
    ]);

    expect(answers).toEqual([
      unreachable("a folder"),
      unreachable("a symbolic link"),
      unreachable("a submodule"),
      unreachable("in a submodule"),
      { kind: "absent" },
      { kind: "absent" },
      { kind: "absent" },
      { kind: "absent" },
    ]);
  });

  it("is never another object put in its place", async () => {
    repository.commit({ "a.txt": "true" });
    const forged = repository.git("hash-object", "-w", "--stdin");
    repository.git("replace", repository.git("rev-parse", "main:a.txt"), forged);

    expect(await observed(repository.folder, ["a.txt"])).toMatchObject([text("true")]);
  });
});
