// @module-tag process
// Verifies: SSOT 3.6 (what cannot be told is unreachable)
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { closeSources, observed, text, unreachable } from "./support/observed.ts";
import { ample, filesystemId, openRepository, type RepositoryForTests } from "./support/repository.ts";

let repository: RepositoryForTests;
beforeEach(() => {
  repository = openRepository({ init: [] });
});
afterEach(async () => {
  await closeSources();
  await repository.close();
});

describe("a repository that cannot be read", () => {
  const looseObject = (id: string): string => join(repository.folder, ".git/objects", id.slice(0, 2), id.slice(2));

  it("has unreachable files while it is away, and is read again when it is back", async () => {
    repository.commit({ "a.txt": "one" });
    const binding = await repository.binding("a.txt");
    const look = () => repository.source.observe([{ binding }, { binding, want: "existence" }], ample);
    await look();

    repository.moveAway();
    expect(await look()).toEqual([
      unreachable("the repository is not there"),
      unreachable("the repository is not there"),
    ]);
    mkdirSync(repository.folder);
    expect(await look()).toEqual([unreachable("not a git repository"), unreachable("not a git repository")]);
    rmSync(repository.folder, { recursive: true });
    repository.moveBack();
    expect(await look()).toMatchObject([text("one"), { kind: "exists" }]);
  });

  it("is not mistaken for another one in its place, but may be replaced by one of its name", async () => {
    const replace = (address: string): void => {
      rmSync(repository.folder, { recursive: true });
      mkdirSync(repository.folder);
      repository.git("init", "--quiet", "--bare", "--initial-branch=main", "--object-format=sha256");
      repository.git("remote", "add", "origin", address);
      repository.commit({ "a.txt": "another" });
    };
    repository.commit({ "a.txt": "one" });
    repository.git("remote", "add", "origin", "https://git.example/owner/name");
    const binding = await repository.binding("a.txt");
    const look = () => repository.source.observe([{ binding }], ample);
    expect(await look()).toMatchObject([text("one")]);

    replace("https://git.example/owner/other");
    expect(await look()).toEqual([unreachable("no such repository is registered here")]);
    replace("ssh://git@git.example/owner/name.git");
    expect(await look()).toMatchObject([text("another")]);
    repository.commit({ "a.txt": "another again" });
    expect(await look()).toMatchObject([text("another again")]);
  });

  it("has unreachable files where an object is lost or damaged, and the others are read", async () => {
    const names = ["cut.txt", "lost.txt", "other.txt", "well.txt", "wrong.txt"];
    repository.commit(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    const pathOf = (name: string): string => looseObject(repository.git("rev-parse", `main:${name}`));
    const [cut, lost, other, wrong] = ["cut.txt", "lost.txt", "other.txt", "wrong.txt"].map(pathOf) as [
      string,
      string,
      string,
      string,
    ];
    const good = readFileSync(other);
    for (const path of [cut, wrong]) chmodSync(path, 0o644);
    writeFileSync(cut, readFileSync(cut).subarray(0, 12));
    // A well-formed object under an id that is not its own.
    writeFileSync(wrong, good);
    rmSync(lost);

    const [ofCut, ofLost, ofOther, ofWell, ofWrong] = await observed(repository.folder, names);

    expect(ofCut).toMatchObject({ kind: "unreachable" });
    expect(ofLost).toEqual(unreachable("an object is not in this repository"));
    expect([ofOther, ofWell]).toMatchObject([text("text of other.txt"), text("text of well.txt")]);
    expect(ofWrong).toMatchObject({ kind: "unreachable" });
  });

  it("has unreachable files where its configuration is broken", async () => {
    repository.commit({ "a.txt": "one" });
    const binding = await repository.binding("a.txt");
    writeFileSync(join(repository.folder, ".git/config"), "[core\n");

    expect(await repository.source.observe([{ binding }], ample)).toEqual([
      unreachable("git cannot read the repository"),
    ]);
  });

  const asRoot = requirement("root", () => process.getuid?.() === 0);
  asRoot("of another user", () => {
    it("is unreachable, as git itself has it", async () => {
      repository.commit({ "a.txt": "one" });
      const binding = await repository.binding("a.txt");
      for (const path of [repository.folder, join(repository.folder, ".git")]) chownSync(path, 12_345, 12_345);

      expect(await repository.source.observe([{ binding }], ample)).toEqual([
        unreachable("the repository belongs to another user"),
      ]);
    });
  });

  const dist = fileURLToPath(import.meta.resolve("@cm/sources-git"));
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const canImport = () =>
    spawnSync(process.execPath, ["--eval", `require("fs").readFileSync(${JSON.stringify(dist)})`], nobody).status === 0;
  requirement("a user without rights that can read the package", canImport)(
    "of which a folder of refs is closed",
    () => {
      it("has unreachable files at these refs, which are neither gone nor where they were packed", async () => {
        const refs = ["main", "refs/heads/main", "refs/heads/never", "refs/heads/topic/one", "v1", "refs/tags/never"];
        repository.commit({ "a.txt": "packed" });
        repository.git("branch", "topic/one");
        repository.git("pack-refs", "--all");
        repository.commit({ "a.txt": "one" });
        repository.git("tag", "v1");
        const requests = await Promise.all(
          refs.map(async (ref) => ({ binding: await repository.binding("a.txt", ref) })),
        );
        const program = `
        import { createGitSource } from ${JSON.stringify(dist)};
        const repositories = [{ folder: ${JSON.stringify(repository.folder)} }];
        const source = createGitSource({ filesystemId: ${JSON.stringify(filesystemId)}, repositories });
        console.log(JSON.stringify(await source.observe(${JSON.stringify(requests)}, ${JSON.stringify(ample)})));
        await source.close();`;
        const run = {
          ...nobody,
          cwd: dirname(dist),
          env: { ...process.env, HOME: repository.around },
          encoding: "utf8",
        } as const;
        if ("uid" in nobody) spawnSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, repository.around]);
        chmodSync(join(repository.folder, ".git/refs/heads"), 0);

        const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], run);

        chmodSync(join(repository.folder, ".git/refs/heads"), 0o755);
        const closed = unreachable("the ref is broken");
        expect(JSON.parse(stdout)).toMatchObject([closed, closed, closed, closed, text("one"), { kind: "absent" }]);
      });
    },
  );
});
