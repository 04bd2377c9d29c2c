import { describe, expect, it } from "vitest";
import { pathReadBy } from "../src/shell-command.ts";

describe("the file that a command prints", () => {
  it.each<[string, string | undefined]>([
    ["cat a.ts", "a.ts"],
    ["cat -n 'my file.ts'", "my file.ts"],
    ["cd /w/app && cat src/a.ts", "/w/app/src/a.ts"],
    ["cd /w/app && cat /etc/hosts", "/etc/hosts"],
    ["sed -n '10,40p' src/a.ts", "src/a.ts"],
    ["sed -n 10,40p src/a.ts | head -20", "src/a.ts"],
    ["head -n 50 a.ts", "a.ts"],
    ["tail -30 a.ts 2>/dev/null", "a.ts"],
    ["cat a.ts | head -100", "a.ts"],
    ["cat a.ts b.ts", undefined],
    ["cat a.ts > b.ts", undefined],
    ["cat a.ts | grep x", undefined],
    ["cat a.ts; rm a.ts", undefined],
    ["cat $(ls)", undefined],
    ["cat *.ts", undefined],
    ["sed -i s/x/y/ a.ts", undefined],
    ["cat << EOF", undefined],
    ["echo cat a.ts", undefined],
    [`cat ${"a".repeat(600)}`, undefined],
  ])("%s", (command, expected) => {
    expect(pathReadBy(command)).toBe(expected);
  });

  it("is found in a command made to be slow with no more work than in a plain one as long", () => {
    const slow = [`cat ${" -n".repeat(150)} !`, `head ${" -n 1".repeat(90)} !`, `cat a ${"| head ".repeat(70)} !`];
    const spent = (commands: readonly string[]) => {
      const start = process.cpuUsage();
      for (let n = 0; n < 200; n += 1) for (const command of commands) pathReadBy(command);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const plain = spent(slow.map(({ length }) => `cat ${"a".repeat(length - 6)} !`));

    expect(spent(slow) / Math.max(plain, 1_000)).toBeLessThan(20);
  });
});
