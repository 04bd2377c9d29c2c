import { describe, expect, it } from "vitest";
import { pathsReadBy } from "../src/shell-command.ts";

describe("the files that a command prints", () => {
  it.each<[string, ...string[]]>([
    ["cat a.ts", "a.ts"],
    ["cat -n 'my file.ts'", "my file.ts"],
    ["cd /w/app && cat src/a.ts", "/w/app/src/a.ts"],
    ["cd /w/app && cat /etc/hosts", "/etc/hosts"],
    ["sed -n '10,40p' src/a.ts", "src/a.ts"],
    ["sed -n 10,40p src/a.ts | head -20", "src/a.ts"],
    ["head -n 50 a.ts", "a.ts"],
    ["tail -30 a.ts 2>/dev/null", "a.ts"],
    ["cat a.ts | head -100", "a.ts"],
    ["cd /w/ && cat ./a.ts", "/w/a.ts"],
    ["cd /w && cat ~/a.ts", "~/a.ts"],
    ["sed -n '1,5p;9p' a.ts; cat 'b;c.ts' 2>&1 && head b.ts\n", "a.ts", "b;c.ts", "b.ts"],
    ["cd /w && sed -n '1,5p' a.ts; sed -n '7,9p' a.ts", "/w/a.ts", "/w/a.ts"],
    ["cat a.ts; npm test"],
    ["cat a.ts & cd b && cat c.ts"],
    ["cat a.ts || cat b.ts"],
    ["cat a.ts && cat b.ts &> c.ts"],
    ['cat a.ts | sed -n "$(rm b.ts)"'],
    ["cat a.ts b.ts"],
    ["cat a.ts > b.ts"],
    ["cat a.ts | grep x"],
    ["cat a.ts; rm a.ts"],
    ["cat $(ls)"],
    ["cat *.ts"],
    ["sed -i s/x/y/ a.ts"],
    ["cat << EOF"],
    ["echo cat a.ts"],
    [`cat ${"a".repeat(600)}`],
  ])("%s", (command, ...expected) => {
    expect(pathsReadBy(command)).toEqual(expected);
  });

  it("is found in a command made to be slow with no more work than in a plain one as long", () => {
    const slow = [
      `cat ${" -n".repeat(150)} !`,
      `head ${" -n 1".repeat(90)} !`,
      `cat a ${"| head ".repeat(70)} !`,
      "cat a;".repeat(80),
    ];
    const spent = (commands: readonly string[]) => {
      const start = process.cpuUsage();
      for (let n = 0; n < 200; n += 1) for (const command of commands) pathsReadBy(command);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const plain = spent(slow.map(({ length }) => `cat ${"a".repeat(length - 6)} !`));

    expect(spent(slow) / Math.max(plain, 1_000)).toBeLessThan(20);
  });
});
