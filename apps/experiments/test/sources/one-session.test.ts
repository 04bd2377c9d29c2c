// @module-tag process
// Verifies: SSOT 5.5, 5.6: one session over three kinds of sources, none of which knows of the others.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore, type ObjectStore, objectIdOf, type SourceBinding } from "@cm/object-model";
import { layouts } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { createGitSource } from "@cm/sources-git";
import { createS3Source } from "@cm/sources-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { canServe } from "../../../../tools/s3-server/prepare.ts";
import { type S3Server, startS3Server } from "../../../../tools/s3-server/start-server.ts";
import { inFolder } from "../support/command.ts";

const isServed = await canServe();
requirement("Java and Maven", () => isServed)("a session over files, git and S3", () => {
  let server: S3Server | undefined;
  beforeAll(async () => {
    server = await startS3Server({ anonymous: true });
  });
  afterAll(async () => server?.stop());

  it("has each thing as an object of its own, sees what changed, and shows all three", async () => {
    const endpoint = server?.url ?? "";
    await inFolder(async (folder) => {
      const world = await threeThings(folder, endpoint);
      const store = createMemoryStore();
      const session = await openSession({ store, layout: layouts.ssot, session: "s", sources: world.sources });
      await session.assemble();
      await session.record(readingAll(world.bindings));
      const first = await textsOf(store, world.bindings);
      await world.change("two\n");

      const prompt = JSON.stringify(await session.assemble());

      expect(first).toEqual(["file one\n", "git one\n", "s3 one\n"]);
      expect(await textsOf(store, world.bindings)).toEqual(["file two\n", "git two\n", "s3 two\n"]);
      for (const shown of [join(folder, "plain.txt"), "@refs/heads/main:notes.md", "s3://notes/today.md"])
        expect(prompt).toContain(shown);
      expect(levels(session)).toEqual(["orphaned", "orphaned", "orphaned"]);
      await session.close();
      await Promise.all(world.sources.map((source) => source.close()));
    });
  });
});

/** One file, one file of a commit and one object in a bucket, and sources that can see them. */
async function threeThings(folder: string, endpoint: string) {
  const files = createFilesystemSource({ roots: [folder] });
  const { filesystemId } = await files.bind(folder);
  const git = createGitSource({ repositories: [{ folder: join(folder, "repository") }], filesystemId });
  const access = { accessKeyId: "any", secretAccessKey: "any" };
  const s3 = createS3Source({ endpoints: [{ url: endpoint, credentials: access }] });
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", join(folder, "repository")]);
  await fetch(`${endpoint}/notes`, { method: "PUT" });
  const change = async (text: string): Promise<void> => {
    writeFileSync(join(folder, "plain.txt"), `file ${text}`);
    commit(join(folder, "repository"), `git ${text}`);
    await fetch(`${endpoint}/notes/today.md`, { method: "PUT", body: `s3 ${text}` });
  };
  await change("one\n");
  const bindings: readonly SourceBinding[] = [
    await files.bind(join(folder, "plain.txt")),
    await git.bind({ repository: join(folder, "repository"), ref: "refs/heads/main", path: "notes.md" }),
    s3.bind({ bucket: "notes", key: "today.md", endpoint }),
  ];
  return { sources: [files, git, s3], bindings, change };
}

function commit(repository: string, text: string): void {
  writeFileSync(join(repository, "notes.md"), text);
  const author = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"];
  execFileSync("git", ["add", "-A"], { cwd: repository });
  execFileSync("git", [...author, "commit", "--quiet", "--no-gpg-sign", "-m", "notes"], { cwd: repository });
}

function readingAll(bindings: readonly SourceBinding[]): Parameters<Session["record"]>[0] {
  const calls = bindings.map((_, n) => ({ callId: `call_${n}`, tool: "read", args: {} }));
  return {
    answer: { role: "assistant", text: "", calls },
    results: bindings.map((binding, n) => ({
      role: "tool",
      callId: `call_${n}`,
      text: "read",
      failed: false,
      files: [{ binding, as: "read", span: { startLine: 1 } }],
    })),
  };
}

async function textsOf(store: ObjectStore, bindings: readonly SourceBinding[]) {
  const ids = bindings.map((source) => objectIdOf({ type: "file", source }));
  const stored = await store.getMany(ids);
  return ids.map((id) => stored.get(id)?.document?.content);
}

function levels(session: Session): readonly string[] {
  return session.tracking().map(({ state }) => state);
}
