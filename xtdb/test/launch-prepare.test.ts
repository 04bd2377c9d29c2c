// @module-tag xtdb
// Verifies: what is missing is said in one sentence; CI takes no excuse; half-prepared states are never used.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { findJava } from "../launch/java.ts";
import { runCommand } from "./support/command.ts";
import { temporaryFolder } from "./support/folders.ts";

const withJava = requirement("Java 17", () => findJava() !== undefined);
const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const home = join(import.meta.dirname, "..");

/** A copy of the package as a fresh clone has it, and a PATH with nothing on it but what the test puts there. */
function freshClone() {
  const folder = temporaryFolder();
  for (const name of ["launch", "src", "config", "package.json", "pom.xml", "lib.sha256"]) {
    cpSync(join(home, name), join(folder, name), { recursive: true });
  }
  const programs = join(folder, "programs");
  mkdirSync(programs);
  return {
    folder,
    script: join(folder, "launch/cli.ts"),
    env: { PATH: programs, JAVA_HOME: "" },
    addJava: () => symlinkSync(findJava()?.executable ?? "/nowhere", join(programs, "java")),
    /** A program that writes its arguments into `name.calls` and then does as the shell lines say. */
    add: (name: string, lines: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\necho "$*" >> "${folder}/${name}.calls"\n${lines}\n`);
      chmodSync(join(programs, name), 0o755);
    },
    calls: (name: string) =>
      readFileSync(join(folder, `${name}.calls`), "utf8")
        .trim()
        .split("\n"),
  };
}

describe("a machine without Java", () => {
  it("hears which Java is needed", async () => {
    const { script, env } = freshClone();

    const { code, stdout, stderr } = await runCommand(["--memory"], { script, env });

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^XTDB needs Java 17 or newer, but none was found .*default-jdk-headless.*\n$/);
  });

  it("hears that the one it has is too old", async () => {
    const { script, env, add } = freshClone();
    add("java", `echo 'openjdk version "11.0.2" 2019-01-15' >&2`);

    const { code, stderr } = await runCommand(["--memory"], { script, env });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^XTDB needs Java 17 or newer, but \S+ is Java 11; install it.*\n$/);
  });

  it("runs the other tests after one loud line", async () => {
    const { script, env } = freshClone();

    const { code, stderr } = await runCommand(["prepare"], { script, env });

    expect(code).toBe(0);
    expect(stderr).toMatch(/^WARNING: TESTS ON A REAL XTDB ARE SKIPPED\. XTDB needs Java 17.*\n$/);
  });

  it("fails in CI", async () => {
    const { script, env } = freshClone();

    const { code } = await runCommand(["prepare"], { script, env: { ...env, CM_REQUIRE_ALL: "1" } });

    expect(code).toBe(1);
  });
});

withJava("a machine with Java, whose jars are not there yet", () => {
  it("hears that Maven is missing", async () => {
    const { script, env, addJava } = freshClone();
    addJava();

    const { code, stderr } = await runCommand(["--memory"], { script, env });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Fetching .*\nMaven is needed once .* install it \(Debian: maven\)\.\n$/);
  });

  it("tries a failed download once more, then says that Maven Central cannot be reached", async () => {
    const { script, env, addJava, add, calls } = freshClone();
    addJava();
    add("mvn", "echo '[ERROR] Could not transfer artifact org.clojure:clojure:jar:1.11.4: Connection refused'; exit 1");

    const { code, stderr } = await runCommand(["--memory"], { script, env });

    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^Maven Central cannot be reached; .* try again\.$/);
    expect(calls("mvn")).toHaveLength(2);
    expect(calls("mvn")[1]).toContain(" -U ");
  });

  it("uses no jar whose hash is wrong", async () => {
    const { folder, script, env, addJava, add } = freshClone();
    addJava();
    const [, name] = readFileSync(join(home, "lib.sha256"), "utf8").split("\n")[0]?.split(/\s+/) ?? [];
    add("mvn", `echo not-a-jar > "${folder}/lib/${name}"`);

    const { code, stderr } = await runCommand(["prepare"], { script, env });

    expect(code).toBe(1);
    expect(stderr).toContain(`${name} from Maven is not the file that xtdb/lib.sha256 names`);
    expect(existsSync(join(folder, "lib/prepared"))).toBe(false);
  });
});

withXtdb("a machine that is prepared", () => {
  it("starts neither Maven nor a compilation again", async () => {
    const { code, stdout, stderr } = await runCommand(["prepare"]);

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
