// @module-tag process
// Verifies: SSOT 5.5, 5.9: `cm files --now` looks where files came from, in a folder, a repository and a container.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectIdOf, type Source, type SourceBinding, sealDocument, sha256 } from "@cm/object-model";
import { indexFiles } from "@cm/session";
import { createContainerSource } from "@cm/sources-container";
import { createFilesystemSource } from "@cm/sources-fs";
import { createGitSource } from "@cm/sources-git";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { leaveSession } from "../support/sample-store.ts";

let folder: string;
let engine: string;
const at = (...names: readonly string[]): string => join(folder, ...names);
const cm = (...args: readonly string[]) => inProcess(["--store", at("objects.sqlite"), "files", ...args]);

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "-C", at("app"), ...args]);

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-files-now-")));
  engine = at("engine");
  for (const name of ["app", "box", "infra"]) mkdirSync(at(name));
  // A stand-in for an engine: its container sees this machine's files.
  writeFileSync(
    engine,
    `#!/bin/sh\n[ ! -e '${at("stopped")}' ] || { echo "container box is not running" >&2; exit 1; }\nshift 2\nexec "$@"\n`,
  );
  chmodSync(engine, 0o755);
  for (const name of ["app/a.txt", "app/b.txt", "app/c.txt", "box/a.txt", "infra/prod.tfvars"])
    writeFileSync(at(name), "one\n");
  git("init", "--quiet", "--initial-branch=main");
  git("add", "a.txt");
  git("commit", "--quiet", "--no-gpg-sign", "--message", "One");
  const store = openSqliteStore({ path: at("objects.sqlite") });
  const index = async <B extends SourceBinding>(source: Source<B>, bindings: readonly B[]) => {
    await indexFiles({ store, source: source as unknown as Source }, [bindings]);
    await source.close?.();
  };
  const files = createFilesystemSource({ roots: [at("app")] });
  await index(files, await files.bindAll(["a.txt", "b.txt", "c.txt"].map((name) => at("app", name))));
  const all = createFilesystemSource({ roots: [at("infra")], ignore: { secretFiles: false } });
  await index(all, await all.bindAll([at("infra/prod.tfvars")]));
  const { filesystemId } = await createFilesystemSource({ roots: ["/"] }).bind("/");
  const commits = createGitSource({ filesystemId, repositories: [{ folder: at("app") }] });
  await index(commits, [await commits.bind({ repository: at("app"), ref: "main", path: "a.txt" })]);
  const box = createContainerSource({ containers: [{ id: "box", command: [engine, "exec", "box"] }] });
  await index(box, [box.bind({ container: "box", path: at("box/a.txt") })]);
  const told = { type: "file", source: { type: "filesystem", filesystemId: "sandbox", path: "/told.txt" } } as const;
  const text = { content: "one\n", source_hash: `tool:${sha256("one\n")}`, content_from: "tool" } as const;
  const document = sealDocument(told, { ...text, file_type: "txt", char_count: 4 });
  await store.commit([{ document, expect: "absent" }]);
  await leaveSession(store, "s", { owner: "test", now: Date.now() });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("cm files --now", () => {
  it("tells what is the same, changed and gone in a folder", async () => {
    writeFileSync(at("app/b.txt"), "two\n");
    rmSync(at("app/c.txt"));

    const { status, stdout, stderr } = await cm(at("app"), "--now");

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/\s{2,}/));
    expect(rows.map((row) => row.slice(-2)).sort()).toEqual([
      [at("app/a.txt"), "same"],
      [at("app/b.txt"), "changed"],
      [at("app/c.txt"), "gone"],
      ["path", "now"],
    ]);
  });

  it("looks into a repository that is named, and into none that is not", async () => {
    const states = async (...args: readonly string[]) =>
      jsonLines((await cm("--source", "git", "--now", "--json", ...args)).stdout).map((line) => Object(line).now);

    expect(await states("--git", at("app"))).toEqual(["same"]);
    writeFileSync(at("app/a.txt"), "two\n");
    git("commit", "--quiet", "--no-gpg-sign", "--all", "--message", "Two");
    expect(await states("--git", at("app"))).toEqual(["changed"]);
    expect(await states()).toEqual(["unreachable"]);
  });

  it("looks into a container that runs, and says where one does not", async () => {
    const named = [at("box"), "--now", "--container", `box=${engine} exec box`];
    const running = await cm(...named);
    writeFileSync(at("stopped"), "");
    const stopped = await cm(...named);

    expect(running.stdout).toMatch(/box\/a\.txt +same$/m);
    expect(stopped.stdout).toMatch(/box\/a\.txt +out of reach: the container is not running$/m);
  });

  it("says which rule closed a file of secrets and how to look at it, and looks where it is told to", async () => {
    const closed = await cm(at("infra"), "--now");
    const opened = await cm(at("infra"), "--now", "--open-secret-files", "*.tfvars");

    expect(closed.stdout).toMatch(
      /prod\.tfvars +closed for its name by the rule \*\.tfvars; --open-secret-files "\*\.tfvars" looks$/m,
    );
    expect(opened.stdout).toMatch(/prod\.tfvars +same$/m);
  });

  it("refuses what makes no sense, with the way out", async () => {
    const withoutNow = await cm("--git", at("app"));
    const wrong = await cm("--now", "--s3", "not a url");

    expect([withoutNow.status, wrong.status]).toEqual([2, 2]);
    expect(withoutNow.stderr).toContain("give --now, too");
    expect(wrong.stderr).toContain("--s3");
  });
});

it("a text reported by a tool is marked, and cannot be observed", async () => {
  const source = { type: "filesystem", filesystemId: "sandbox", path: "/told.txt" } as const;
  const id = objectIdOf({ type: "file", source });

  const listed = await cm("/told.txt", "--now");
  const shown = await inProcess(["--store", at("objects.sqlite"), "show", "s", id]);

  expect(listed.stdout).toMatch(/\/told\.txt +out of reach: /);
  expect(shown).toMatchObject({ status: 0, stdout: "one\n" });
  expect(shown.stderr).toMatch(/^text from +a tool's output, not observed$/m);
});
