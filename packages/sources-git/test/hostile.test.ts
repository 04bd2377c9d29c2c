// @module-tag process
// Verifies: SSOT 5.11 (names are data: they never become git's own syntax)
import type { GitBinding } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { createGitSource } from "../src/index.ts";
import { recordedGit } from "./support/fake-git.ts";
import { drawn, refPieces } from "./support/hostile.ts";
import { forEachSeed } from "./support/random.ts";
import { ample, filesystemId, openRepository } from "./support/repository.ts";

describe("ten thousand hostile names", () => {
  it("start no other command and find no other object", async () => {
    const repository = openRepository();
    const recorded = recordedGit(repository.around);
    const files = { "a.txt": "file a", "folder/a.txt": "file folder/a", "-": "file -", "folder/..x": "file ..x" };
    const id = repository.commit(files);
    const canary = repository.commit({ "a.txt": "canary" }, null);
    for (const name of ["heads/topic", "tags/v1", "heads/main-g", "heads/é"])
      repository.git("update-ref", `refs/${name}`, id);
    const hostile = createGitSource({
      filesystemId,
      repositories: [{ folder: repository.folder }],
      git: recorded.program,
    });
    const { repo: here } = await hostile.bind({ repository: repository.folder, ref: "main", path: "a.txt" });
    const rightRefs = namesOf(["heads/main", "heads/topic", "tags/v1", "heads/main-g", "heads/é"])
      .add("HEAD")
      .add(id)
      .add(canary);
    const pieces = [...refPieces, id, id.slice(0, 7), canary.slice(0, 8), canary];

    let valid = 0;
    await forEachSeed("start no other command", 20, async (random) => {
      const bindings = Array.from({ length: 500 }, () => drawn(random, here, pieces)).filter(
        (one) => one !== undefined,
      );
      valid += bindings.length;

      const answers = await hostile.observe(
        bindings.map((binding) => ({ binding })),
        ample,
      );

      for (const [n, answer] of answers.entries()) {
        const { ref, path } = bindings[n] as GitBinding;
        const wanted = ref === canary ? { "a.txt": "canary" } : files;
        const text = rightRefs.has(ref) ? new Map(Object.entries(wanted)).get(path) : undefined;
        const said = answer.kind === "present" && "text" in answer.content ? answer.content.text : undefined;
        expect({ ref, path, said }).toEqual({ ref, path, said: text });
      }
    });
    await hostile.close();
    await repository.close();

    expect(valid).toBeGreaterThan(1_000);
  });

  it("are no refs without parsing, for a look and for a tracker", async () => {
    const repository = openRepository();
    const id = repository.commit({ "a.txt": "canary" });
    const any = await repository.binding("a.txt");
    const refs = [
      "refs/heads/*",
      `x\ncontents ${id}`,
      "main~0",
      "@",
      "a\0b",
      "-c",
      "main:a.txt",
      "",
      "refs/heads/main\n",
    ];
    const bindings = refs.map((ref) => ({ ...any, ref }));
    const tracker = repository.source.track(() => {});

    const answers = await repository.source.observe(
      [...bindings, any].map((binding) => ({ binding })),
      ample,
    );
    await tracker.follow([...bindings, any]);

    const refused = refs.map(() => ({ kind: "unreachable", reason: "this cannot be a ref" }));
    expect(answers).toMatchObject([...refused, { kind: "present" }]);
    expect(tracker.states().map(({ state, reason }) => reason ?? state)).toEqual([
      ...refused.map(({ reason }) => reason),
      "attached",
    ]);
    await repository.close();
  });

  it("are on no command line but as whole names below refs/", async () => {
    const repository = openRepository();
    const recorded = recordedGit(repository.around);
    repository.commit({ "a.txt": "one" });
    const hostile = createGitSource({
      filesystemId,
      repositories: [{ folder: repository.folder }],
      git: recorded.program,
    });
    const { repo: here } = await hostile.bind({ repository: repository.folder, ref: "main", path: "a.txt" });
    const bindings: GitBinding[] = [];
    await forEachSeed("are on no command line", 2_000, (random) => {
      const binding = drawn(random, here, refPieces);
      if (binding !== undefined) bindings.push(binding);
    });

    await hostile.observe(
      bindings.map((binding) => ({ binding })),
      ample,
    );

    const known = [
      /^version$/,
      /^rev-parse --path-format=absolute --git-common-dir --show-object-format$/,
      /^config --local --null --get-regexp \^remote\\\.\.\*\\\.url\$$/,
      /^for-each-ref --format=%\(objectname\) %\(refname\)(?: refs\/[^\s~^:?*[\\]*\\[^\s~^:?*[\\]+)+$/,
      /^cat-file --batch-command --buffer$/,
    ];
    expect(recorded.calls().filter((call) => !known.some((one) => one.test(call)))).toEqual([]);
    await hostile.close();
    await repository.close();
  });
});

/** All names under which git's rules find these refs. */
function namesOf(refs: readonly string[]): Set<string> {
  return new Set(refs.flatMap((ref) => [`refs/${ref}`, ref, ref.slice(ref.indexOf("/") + 1)]));
}
