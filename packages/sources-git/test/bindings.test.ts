// @module-tag process
// Verifies: SSOT 2.3, 5.3
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { realGit } from "./support/fake-git.ts";
import { parsed, pathPieces, refPieces, source } from "./support/hostile.ts";
import { forEachSeed } from "./support/random.ts";

const repo = "git.example/owner/name";

describe("a binding", () => {
  it.each([
    ["ref", ""],
    ["ref", "@"],
    ["ref", "-x"],
    ["ref", "main~1"],
    ["ref", "main^"],
    ["ref", "main:a.txt"],
    ["ref", "a..b"],
    ["ref", "main@{1}"],
    ["ref", "@{-1}"],
    ["ref", ":/fix"],
    ["ref", "a b"],
    ["ref", "a\nb"],
    ["ref", "a\0b"],
    ["ref", "a\u007fb"],
    ["ref", "/main"],
    ["ref", "main/"],
    ["ref", "a//b"],
    ["ref", "a/.b"],
    ["ref", ".a"],
    ["ref", "a.lock"],
    ["ref", "a.lock/b"],
    ["ref", "a."],
    ["ref", "refs/heads/*"],
    ["ref", "a\\b"],
    ["ref", "\ud800"],
    ["ref", "x".repeat(1_025)],
    ["path", ""],
    ["path", "/a.txt"],
    ["path", "a/"],
    ["path", "a//b"],
    ["path", "."],
    ["path", "a/../b"],
    ["path", "./a"],
    ["path", "a\0b"],
    ["path", "\ud800"],
    ["path", `${"a/".repeat(600)}b`],
    ["repo", ""],
    ["repo", "https://git.example/owner/name"],
    ["repo", "ada@git.example/name"],
    ["repo", "name"],
    ["repo", "a/b\nc"],
    ["repo", "git.example/name/"],
    ["repo", "a b/c"],
    ["repo", "/srv/name"],
  ])("with the %s %j is refused", (field, value) => {
    const binding = { type: "git", repo, ref: "main", path: "a.txt" };

    expect(() => source.parseBinding({ ...binding, [field]: value })).toThrow(field);
  });

  it("has a ref that git itself allows, and git allows what is refused nowhere else", async () => {
    const allows = (ref: string): boolean => {
      try {
        // Git takes a leading dash for an option here, and knows no name longer than ours.
        execFileSync(realGit(), ["check-ref-format", `refs/heads/${ref}`], { stdio: "ignore" });
        return !ref.startsWith("-") && ref !== "@" && ref.isWellFormed();
      } catch {
        return false;
      }
    };
    await forEachSeed("has a ref that git itself allows", 150, (random) => {
      const ref = random.some(5, () => random.pick(refPieces)).join("");
      if (ref.includes("\0")) return;
      const takes = parsed({ type: "git", repo, ref, path: "a.txt" }) !== undefined;

      expect({ ref, takes }).toEqual({ ref, takes: allows(ref) });
    });
  });

  it("is shown on one line, and no other is shown alike", async () => {
    const shown = new Map<string, string>();
    await forEachSeed("is shown on one line", 3_000, (random) => {
      const path = random
        .some(5, () => random.pick([...pathPieces, '"', "\\n", "\\u000a", "\u0085", "\u2028"]))
        .join("");
      const binding = parsed({ type: "git", repo, ref: "main", path });
      if (binding === undefined) return;
      const { display } = source.describe(binding);

      expect(display).toMatch(/^git:git\.example\/owner\/name@main:[^\p{Cc}\p{Zl}\p{Zp}]+$/u);
      expect(shown.get(display) ?? path).toBe(path);
      shown.set(display, path);
    });
  });
});
