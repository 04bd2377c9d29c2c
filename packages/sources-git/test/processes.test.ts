// @module-tag process
// Verifies: SSOT 5.11 (no process for a file; nothing outlives the client)
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { withStrace } from "../../../tools/strace.ts";
import { createGitSource, limits } from "../src/index.ts";
import { falseGit, recordedGit } from "./support/fake-git.ts";
import { ample, filesystemId, git, openRepository } from "./support/repository.ts";

const names = Array.from({ length: 1_000 }, (_, n) => `folder-${n % 37}/${n}.txt`);
const files = Object.fromEntries(names.map((name) => [name, `text of ${name}`]));
const packageUrl = new URL("../dist/index.js", import.meta.url).href;

describe("the processes of a source", () => {
  it("are one for all objects of a repository and one for the refs of a batch, however many files are looked at", async () => {
    const repository = openRepository();
    const { program, calls } = recordedGit(repository.around);
    repository.commit(files);
    const source = createGitSource({ filesystemId, repositories: [{ folder: repository.folder }], git: program });
    const any = await source.bind({ repository: repository.folder, ref: "main", path: "any" });
    const before = calls().length;

    for (let n = 0; n < 3; n += 1) {
      const answers = await source.observe(
        names.map((path) => ({ binding: { ...any, path } })),
        ample,
      );
      expect(answers.every(({ kind }) => kind === "present")).toBe(true);
    }

    const commands = calls()
      .slice(before)
      .map((call) => call.split(" ")[0]);
    expect(commands.sort()).toEqual(["cat-file", "for-each-ref", "for-each-ref", "for-each-ref"]);
    await source.close();
    await repository.close();
  });

  it("end after a long time without requests, and start again with the next one", async () => {
    const repository = openRepository();
    const { program, calls } = recordedGit(repository.around);
    repository.commit({ "a.txt": "one" });
    const idle: (() => void)[] = [];
    const source = createGitSource({
      filesystemId,
      repositories: [{ folder: repository.folder }],
      git: program,
      timer: (ms, run) => {
        expect(ms).toBe(limits.idleMs);
        idle.push(run);
        return () => {};
      },
    });
    const binding = await source.bind({ repository: repository.folder, ref: "main", path: "a.txt" });
    const starts = () => calls().filter((call) => call.startsWith("cat-file")).length;
    await source.observe([{ binding }], ample);
    await source.observe([{ binding }], ample);
    expect(starts()).toBe(1);

    idle.at(-1)?.();

    expect(await source.observe([{ binding }], ample)).toMatchObject([{ kind: "present" }]);
    expect(starts()).toBe(2);
    await source.close();
    await repository.close();
  });

  it("get none of the caller's variables, and none of the programs in PATH", async () => {
    const repository = openRepository();
    const log = join(repository.around, "environment.json");
    const program = falseGit(
      repository.around,
      `require("node:fs").writeFileSync(${JSON.stringify(log)}, JSON.stringify(process.env)); pass();`,
    );
    const set = {
      GIT_DIR: "/nonexistent",
      GIT_CONFIG_COUNT: "1",
      GIT_SSH_COMMAND: "touch x",
      NODE_OPTIONS: "",
      CM_SECRET: "x",
    };
    Object.assign(process.env, set);
    const source = createGitSource({ filesystemId, repositories: [{ folder: repository.folder }], git: program });

    await source.bind({ repository: repository.folder, ref: "main", path: "a.txt" });

    for (const name of Object.keys(set)) delete process.env[name];
    const environment = JSON.parse(readFileSync(log, "utf8")) as Record<string, string>;
    for (const name of Object.keys(set)) expect(environment).not.toHaveProperty(name);
    expect(environment).toMatchObject({
      PATH: "/dev/null",
      LC_ALL: "C",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ALLOW_PROTOCOL: "",
    });
    await source.close();
    await repository.close();
  });

  it("do not keep the client alive, and end with it, also when it is killed", async () => {
    const repository = openRepository();
    repository.commit({ "a.txt": "one" });
    const program = (last: string) => `
      import { createGitSource } from ${JSON.stringify(packageUrl)};
      const source = createGitSource({ filesystemId: "fs", repositories: [{ folder: ${JSON.stringify(repository.folder)} }] });
      const binding = await source.bind({ repository: ${JSON.stringify(repository.folder)}, ref: "main", path: "a.txt" });
      source.track(() => {}).follow([binding]);
      const [answer] = await source.observe([{ binding }], { contentBytesMax: 1000, deadlineMs: 60000 });
      console.log(answer.content.text);
      ${last}`;

    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program("")]);
    expect(said.toString()).toBe("one\n");
    const closed = execFileSync(process.execPath, [
      "--input-type=module",
      "--eval",
      program("await source.close(); console.log('closed');"),
    ]);
    expect(closed.toString()).toBe("one\nclosed\n");

    const client = spawn(process.execPath, ["--input-type=module", "--eval", program("setInterval(() => {}, 1000);")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(client.stdout)) if (line === "one") break;
    const children = readFileSync(`/proc/${client.pid}/task/${client.pid}/children`, "utf8").trim().split(" ");
    expect(children).toHaveLength(1);
    client.kill("SIGKILL");
    await once(client, "exit");
    await expect.poll(() => isRunning(children[0] ?? "")).toBe(false);
    await repository.close();
  });
});

withStrace("as the system sees it", () => {
  it("nothing is started but git, by its path, and a partial clone starts no fetch", async () => {
    const repository = openRepository();
    repository.commit({ ...files, ".gitattributes": "*.txt diff=x filter=x\n" });
    const partial = join(repository.around, "partial");
    repository.cloneWithoutBlobs(partial);
    // Named by its remote, the clone would be the same repository to a source.
    git(partial, ["remote", "set-url", "origin", "https://git.example/owner/name"]);
    const planted = join(repository.around, "planted");
    for (const folder of [repository.folder, partial]) {
      for (const name of [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "diff.x.textconv",
        "filter.x.smudge",
        "credential.helper",
      ]) {
        git(folder, ["config", name, `touch ${planted}`]);
      }
    }
    const log = join(repository.around, "strace.log");
    const program = join(repository.around, "client.mjs");
    writeFileSync(
      program,
      `import { createGitSource } from ${JSON.stringify(packageUrl)};
      const folders = ${JSON.stringify([repository.folder, partial])};
      const source = createGitSource({ filesystemId: "fs", repositories: folders.map((folder) => ({ folder })) });
      const kinds = new Set();
      for (const repository of folders) {
        const any = await source.bind({ repository, ref: "main", path: "any" });
        const requests = ${JSON.stringify(names.slice(0, 20))}.map((path) => ({ binding: { ...any, path } }));
        for (const { kind } of await source.observe(requests, { contentBytesMax: 1000, deadlineMs: 60000 })) kinds.add(kind);
      }
      await source.close();
      console.log([...kinds].join());`,
    );

    const said = execFileSync("strace", ["-f", "-qq", "-e", "trace=execve", "-o", log, process.execPath, program]);

    expect(said.toString()).toBe("present,unreachable\n");
    const started = [...readFileSync(log, "utf8").matchAll(/execve\("([^"]+)", \[(.*?)\]/g)].map(([, path, args]) => ({
      path,
      args,
    }));
    const others = started.slice(1).filter(({ path }) => !path?.endsWith("/git"));
    expect(others).toEqual([]);
    expect(started.filter(({ args }) => args?.includes("fetch"))).toEqual([]);
    expect(existsSync(planted)).toBe(false);
    await repository.close();
  });
});

function isRunning(id: string): boolean {
  try {
    // A process that has ended but was not waited for is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}
