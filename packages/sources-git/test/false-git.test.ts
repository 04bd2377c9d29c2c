// @module-tag process
// Verifies: SSOT 5.11, 3.6 (git that hangs, dies or lies is unreachable, and the next look is well)
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GitBinding, isCmError } from "@cm/object-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitSource, type GitSource, limits } from "../src/index.ts";
import { isRecent } from "../src/process/git-program.ts";
import { falseCatFile, falseGit } from "./support/fake-git.ts";
import { ample, filesystemId, openRepository, type RepositoryForTests } from "./support/repository.ts";

let repository: RepositoryForTests;
let source: GitSource;
let binding: GitBinding;
beforeEach(async () => {
  repository = openRepository();
  repository.commit({ "a.txt": "canary-7e1", "b.txt": "two" });
  binding = await repository.binding("a.txt");
});
afterEach(async () => {
  await source.close();
  await repository.close();
});

function use(program: string): void {
  source = createGitSource({ filesystemId, repositories: [{ folder: repository.folder }], git: program });
}

const look = (deadlineMs: number = ample.deadlineMs) => source.observe([{ binding }], { ...ample, deadlineMs });
const starts = (): number => {
  const log = join(repository.around, "starts");
  return existsSync(log) ? readFileSync(log, "utf8").length : 0;
};
const well = { kind: "present", content: { text: "canary-7e1" } };

describe("a git that", () => {
  it("hangs is given up at the deadline and replaced at the next look", async () => {
    use(falseCatFile(repository.around, "if (count === 0) setInterval(() => {}, 1000); else pass();"));

    while (starts() === 0) expect(await look(1_000)).toEqual([{ kind: "unreachable", reason: "timed out" }]);
    expect(await look()).toMatchObject([well]);
    expect(starts()).toBe(2);
  });

  it("hangs when it should look up refs is given up, too", async () => {
    use(
      falseGit(
        repository.around,
        `if (process.argv.includes("for-each-ref")) setInterval(() => {}, 1000); else pass();`,
      ),
    );

    expect(await look(1_000)).toEqual([{ kind: "unreachable", reason: "timed out" }]);
  });

  it("dies is started again, and the question that it died of is unreachable", async () => {
    use(falseCatFile(repository.around, "if (count === 0) process.exit(1); else pass();"));

    const [root] = await look();
    expect(root).toEqual({ kind: "unreachable", reason: "git ended early" });
    expect(await look()).toMatchObject([well]);
  });

  it("always dies is not started for ever", async () => {
    use(falseCatFile(repository.around, "process.exit(1);"));

    const ids = Array.from({ length: 60 }, (_, n) => `${n}`.padStart(40, "0"));

    const answers = await source.observe(
      ids.map((ref) => ({ binding: { ...binding, ref } })),
      ample,
    );

    expect(answers).toEqual(ids.map(() => ({ kind: "unreachable", reason: "git ended early" })));
    expect(starts()).toBe(limits.restartsMax + 1);
  });

  it.each([
    ["talks nonsense", "process.stdout.write('nonsense\\n');"],
    ["never ends its line", "const more = () => { process.stdout.write('x'.repeat(65536), more); }; more();"],
    [
      "gives another object",
      "process.stdin.once('data', () => process.stdout.write('0'.repeat(40) + ' blob 3\\nabc\\n'));",
    ],
  ])("%s is ended and replaced", async (_title, body) => {
    use(falseCatFile(repository.around, `if (count === 0) { ${body} setInterval(() => {}, 1000); } else pass();`));

    expect(await look()).toMatchObject([{ kind: "unreachable" }]);
    expect(await look()).toMatchObject([well]);
  });

  it("gives other bytes under the id of a file is not believed", async () => {
    use(
      falseCatFile(
        repository.around,
        `const git = require("node:child_process").spawn("${"/usr/bin/env"}", ["git", ...process.argv.slice(2)], { stdio: ["inherit", "pipe", "inherit"], env: { PATH: ${JSON.stringify(process.env.PATH)} } });
        git.stdout.on("data", (bytes) => process.stdout.write(Buffer.from(bytes.toString("latin1").replace("canary-7e1", "forged-7e1"), "latin1")));
        git.on("exit", () => process.exit());`,
      ),
    );

    expect(await look()).toEqual([{ kind: "unreachable", reason: "an object is damaged" }]);
  });

  it("complains without end is bounded, and nothing that it says is shown", async () => {
    use(
      falseCatFile(
        repository.around,
        `for (let n = 0; n < 200; n += 1) require("node:fs").writeSync(2, "canary-7e1 ".repeat(1000)); process.exit(1);`,
      ),
    );

    expect(JSON.stringify(await look())).not.toContain("canary");
  });

  it("hangs delays only the requests whose time is up: the others are asked again", async () => {
    use(falseCatFile(repository.around, "if (count === 0) setInterval(() => {}, 1000); else pass();"));

    const late = source.observe([{ binding }], { ...ample, deadlineMs: 1_000 });
    const other = source.observe([{ binding: { ...binding, path: "b.txt" } }], ample);

    expect(await late).toEqual([{ kind: "unreachable", reason: "timed out" }]);
    // Where this machine was too slow to start git within that second, nothing had to be replaced.
    if (starts() > 0) expect(await other).toMatchObject([{ content: { text: "two" } }]);
  });

  it("is given up by its caller goes on for others", async () => {
    use(falseCatFile(repository.around, "setTimeout(pass, 200);"));
    const controller = new AbortController();
    const binding2 = { ...binding, path: "b.txt" };
    await source.bind({ repository: repository.folder, ref: "main", path: "a.txt" });

    const givenUp = source.observe([{ binding }], ample, controller.signal);
    const other = source.observe([{ binding: binding2 }], ample);
    controller.abort();

    expect(await givenUp).toEqual([{ kind: "unreachable", reason: "given up" }]);
    expect(await other).toMatchObject([{ content: { text: "two" } }]);
    expect(starts()).toBe(1);
  });
});

describe("without a git", () => {
  it("everything is unreachable and says so", async () => {
    use("/nonexistent/git");

    expect(await look()).toEqual([{ kind: "unreachable", reason: "git is not installed" }]);
    const refused = await source
      .bind({ repository: repository.folder, ref: "main", path: "a" })
      .catch((error: unknown) => error);
    expect(isCmError(refused, "source/unreachable")).toBe(true);
    expect(String(refused)).toContain("git is not installed");
  });

  it("that is recent enough, too", async () => {
    use(
      falseGit(
        repository.around,
        `if (process.argv.includes("version")) console.log("git version 2.35.9"); else pass();`,
      ),
    );

    expect(await look()).toEqual([{ kind: "unreachable", reason: "git is older than 2.36" }]);
  });

  it.each([
    ["git version 2.36.0", true],
    ["git version 2.39.5 (Apple Git-154)", true],
    ["git version 2.51.0.windows.1", true],
    ["git version 3.0.0", true],
    ["git version 2.35.8", false],
    ["git version 1.99.0", false],
    ["not git", false],
    ["", false],
  ])("%j is recent: %s", (answer, recent) => {
    use("git");
    expect(isRecent(answer)).toBe(recent);
  });
});

describe("a source", () => {
  it("refuses options that cannot be", () => {
    use("git");
    const many = Array.from({ length: 33 }, (_, n) => ({ folder: `/srv/${n}` }));

    expect(() => createGitSource({ filesystemId: "a:b", repositories: [] })).toThrow("filesystemId");
    expect(() => createGitSource({ filesystemId, repositories: many })).toThrow("repositories");
  });
});
