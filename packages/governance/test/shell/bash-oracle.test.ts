// @module-tag process
// Verifies: whatever a real bash starts for a text, the reader of command texts has seen.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forSeeds } from "@cm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { programsOf } from "../../src/index.ts";
import { hostileCommand, stubNames } from "../support/hostile-commands.ts";

const bash = "/bin/bash";
const hasBash = (() => {
  try {
    execFileSync(bash, ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
})();

/** What runs others is real; what does harm is a stub that writes its name down. */
const real = ["env", "xargs", "nohup", "nice", "timeout", "setsid", "find"];

requirement("bash", () => hasBash)("a text that bash runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-bash-"));
  const bin = join(folder, "bin");

  beforeAll(() => {
    mkdirSync(bin);
    for (const name of stubNames) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "\${0##*/}" >> log\n`);
      chmodSync(join(bin, name), 0o755);
    }
    for (const name of ["sh", "bash"]) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> log\nexec /bin/bash "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    for (const name of real) {
      const path = execFileSync(bash, ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> log\nexec ${path} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Names of the programs that bash started. */
  function started(text: string): readonly string[] {
    // What a text leaves running in the background writes into the folder of its own run.
    const work = mkdtempSync(join(folder, "work-"));
    writeFileSync(join(work, "log"), "");
    try {
      execFileSync(bash, ["--norc", "--noprofile", "-c", text], {
        cwd: work,
        env: { PATH: bin, HOME: work },
        stdio: ["ignore", "ignore", "ignore"],
        timeout: 20_000,
      });
    } catch {
      // What a text comes to is its own affair.
    }
    return [...new Set(readFileSync(join(work, "log"), "utf8").split("\n").filter(Boolean))];
  }

  it("starts no program that was not seen", async () => {
    let read = 0;
    let ran = 0;
    await forSeeds(
      {
        ...{ short: 800, long: 100_000, file: "packages/governance/test/shell/bash-oracle.test.ts" },
        found: [
          {
            seed: 238_443,
            found: "words behind `&>`: arguments of `eval` for bash, a command of their own for others",
          },
        ],
      },
      (random) => {
        const text = hostileCommand(random);
        const seen = programsOf(text);
        if (seen === undefined) return;
        read += 1;

        const names = started(text);

        ran += names.length > 0 ? 1 : 0;
        expect({ text, unseen: names.filter((name) => !seen.includes(name)) }).toEqual({ text, unseen: [] });
      },
    );
    if (process.env.CM_SEED === undefined) {
      expect(read).toBeGreaterThan(30);
      expect(ran).toBeGreaterThan(20);
    }
  });

  describe("in each way to hide a program", () => {
    it.each([
      "a;evil",
      "a&evil",
      "a|evil",
      "a|&evil",
      "a&&evil||a",
      "a\nevil",
      "a $(evil)",
      'a "$(evil)"',
      'a "`evil`"',
      "a `evil`",
      "X=$(evil) a",
      "(a; (evil))",
      "{ a; evil; }",
      "if a; then evil; fi",
      "while evil; do break; done",
      "for x in 1 2; do evil; done",
      "! evil",
      "time evil",
      "e''vil",
      'e"vi"l',
      "e\\vil",
      "\\evil",
      "ev\\\nil",
      "env evil",
      "env -i X=1 /bin/true; evil",
      "command evil",
      "exec evil",
      "eval 'ev''il'",
      "sh -c 'a; evil'",
      "bash -ec 'env evil'",
      "find . -exec evil {} \\;",
      "timeout 5 evil",
      "a < /dev/null > /dev/null; evil",
      ">/dev/null evil",
      "2>/dev/null evil",
      "a $(a $(a $(evil)))",
      "a # comment ' \n evil",
      'a <<< "$(evil)"',
      "FOO=1 evil",
      "a > $(evil)",
      "evil &> /dev/null; a",
      "a; evil &>> /dev/null",
    ])("it sees what runs in %j", (text) => {
      expect(programsOf(text)).toContain("evil");
    });

    it("and bash starts it in most of them", () => {
      expect(started("a $(a $(a $(evil)))")).toContain("evil");
      expect(started("e''vil")).toContain("evil");
      expect(started("find . -exec evil {} \\;")).toContain("evil");
    });
  });
});
