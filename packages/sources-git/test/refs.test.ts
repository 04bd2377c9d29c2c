// @module-tag process
// Verifies: SSOT 5.6 (a ref that moved is a change), 3.6
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownState, Observation } from "@cm/object-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ample, git, openRepository, type RepositoryForTests } from "./support/repository.ts";

let repository: RepositoryForTests;
beforeEach(() => {
  repository = openRepository({ init: [] });
});
afterEach(() => repository.close());

async function look(
  ref: string,
  { path = "a.txt", known }: { path?: string; known?: KnownState } = {},
): Promise<Observation> {
  const binding = await repository.binding(path, ref);
  const [answer] = await repository.source.observe([known === undefined ? { binding } : { binding, known }], ample);
  if (answer === undefined) throw new Error("There was no answer.");
  return answer;
}

const textAt = async (ref: string): Promise<unknown> => {
  const answer = await look(ref);
  if (answer.kind !== "present") return answer;
  return "text" in answer.content ? answer.content.text : answer.content;
};

describe("a ref that moved", () => {
  it("is a change of the files that differ, and of no other", async () => {
    repository.commit({ "a.txt": "one", "b.txt": "same" });
    const a = await look("main");
    const b = await look("main", { path: "b.txt" });
    if (a.kind !== "present" || b.kind !== "present") throw new Error("Both were committed.");
    expect(a.sourceHash).toBe(repository.git("rev-parse", "main:a.txt"));

    repository.commit({ "a.txt": "two", "b.txt": "same" });

    expect(await look("main", { known: a.state })).toMatchObject({ kind: "present", content: { text: "two" } });
    expect(await look("main", { path: "b.txt", known: b.state })).toEqual({ kind: "unchanged", state: b.state });
  });

  it("is followed back, too, and to where a tag is moved", async () => {
    const one = repository.commit({ "a.txt": "one" });
    repository.commit({ "a.txt": "two" });
    repository.git("tag", "v1", one);
    expect(await textAt("v1")).toBe("one");

    repository.git("tag", "--force", "v1", "main");
    repository.git("update-ref", "refs/heads/main", one);

    expect(await textAt("v1")).toBe("two");
    expect(await textAt("main")).toBe("one");
  });
});

describe("a ref", () => {
  it("is found by its full name and by the short ones that git knows, tags before branches", async () => {
    const one = repository.commit({ "a.txt": "one" });
    const two = repository.commit({ "a.txt": "two" }, null);
    repository.git("update-ref", "refs/remotes/origin/main", two);
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    repository.git("tag", "both", two);
    repository.git("branch", "both", one);
    repository.git("update-ref", "refs/notes/x", one);

    for (const ref of ["main", "heads/main", "refs/heads/main", "HEAD", one, "refs/heads/both", "notes/x"]) {
      expect(await textAt(ref)).toBe("one");
    }
    for (const ref of ["origin/main", "origin", "remotes/origin/main", two, "both", "tags/both", "refs/tags/both"]) {
      expect(await textAt(ref)).toBe("two");
    }
  });

  it("is peeled: a tag of a tag of a commit, and a tag of a folder", async () => {
    repository.commit({ "a.txt": "one" });
    repository.git("tag", "--annotate", "--message=inner", "inner", "main");
    repository.git("tag", "--annotate", "--message=outer", "outer", "inner");
    repository.git("tag", "--annotate", "--message=folder", "folder", "main^{tree}");

    expect(await textAt("outer")).toBe("one");
    expect(await textAt(repository.git("rev-parse", "outer"))).toBe("one");
    expect(await textAt("folder")).toBe("one");
  });

  it("that is gone makes its files absent, and a name that looks like something else is still only a name", async () => {
    const id = repository.commit({ "a.txt": "one" });
    const short = id.slice(0, 7);
    const names = [`fix-g${short}`, short, "refs/heads/topic", "topic"];
    for (const name of names) repository.git("update-ref", name.startsWith("refs/") ? name : `refs/heads/${name}`, id);
    for (const name of names) expect(await textAt(name)).toBe("one");

    for (const name of names.slice(0, 3)) {
      repository.git("update-ref", "-d", name.startsWith("refs/") ? name : `refs/heads/${name}`);
    }

    for (const name of names) expect(await look(name)).toEqual({ kind: "absent" });
    // What git itself would make of it.
    expect(repository.git("rev-parse", `refs/heads/fix-g${short}`)).toBe(id);
  });

  it("is not taken for one of the same name further down", async () => {
    const id = repository.commit({ "a.txt": "one" });
    repository.git("update-ref", "refs/heads/refs/heads/topic", id);

    expect(await look("refs/heads/topic")).toEqual({ kind: "absent" });
    expect(await textAt("refs/heads/refs/heads/topic")).toBe("one");
  });

  it("that is a folder of refs is none, and lists none of them", async () => {
    const id = repository.commit({ "a.txt": "one" });
    const many = Array.from({ length: 300 }, (_, n) => `create refs/heads/é/${n} ${id}\n`);
    repository.git("update-ref", "--no-deref", "refs/heads/é!", id);
    git(repository.folder, ["update-ref", "--stdin"], many.join(""));

    for (const ref of ["heads", "refs/heads", "é", "heads/é"]) expect(await look(ref)).toEqual({ kind: "absent" });
    for (const ref of ["é!", "é/7"]) expect(await textAt(ref)).toBe("one");
  });

  it("in a repository without commits is absent, but HEAD is unreachable", async () => {
    expect(await look("main")).toEqual({ kind: "absent" });
    expect(await look("HEAD")).toEqual({ kind: "unreachable", reason: "HEAD is on no commit" });

    repository.commit({ "a.txt": "one" });
    expect(await textAt("HEAD")).toBe("one");
  });

  it("that is an id is never absent, because its earlier existence is unknown", async () => {
    repository.commit({ "a.txt": "one" });
    const unknown = { kind: "unreachable", reason: "the commit is not in this repository" };

    expect(await look("a".repeat(40))).toEqual(unknown);
    // Of the other hash.
    expect(await look("a".repeat(64))).toEqual(unknown);
    expect(await look(repository.git("rev-parse", "main:a.txt"))).toEqual({
      kind: "unreachable",
      reason: "the ref leads to no folder",
    });
  });

  it.each([
    ["is empty", ""],
    ["has no id", "no id at all\n"],
    ["leads to an object that is lost", `${"1".repeat(40)}\n`],
  ])("that %s is unreachable, and the others are well", async (_title, text) => {
    repository.commit({ "a.txt": "one" });
    writeFileSync(join(repository.folder, ".git/refs/heads/broken"), text);

    expect(await look("broken")).toMatchObject({ kind: "unreachable" });
    expect(await textAt("main")).toBe("one");
  });

  it("is looked up once for each batch: the files of one batch are of one commit", async () => {
    repository.commit({ "a.txt": "one", "b.txt": "one" });
    const bindings = [await repository.binding("a.txt"), await repository.binding("b.txt", "refs/heads/main")];
    const texts = new Set<string>();

    for (let n = 0; n < 20; n += 1) {
      const looking = repository.source.observe(
        bindings.map((binding) => ({ binding })),
        ample,
      );
      repository.commit({ "a.txt": `${n}`, "b.txt": `${n}` });
      const [a, b] = await looking;
      expect(a).toEqual(b);
      texts.add(JSON.stringify(a));
    }
    expect(texts.size).toBeGreaterThan(0);
  });
});
