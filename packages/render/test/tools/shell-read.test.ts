import { describe, expect, it } from "vitest";
import { pathReadBy } from "../../src/tools/shell-read.ts";

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

  it("is found in bounded time in a command made to be slow", () => {
    const start = performance.now();

    pathReadBy(`cat ${" -n".repeat(150)} !`);
    pathReadBy(`head ${" -n 1".repeat(90)} !`);
    pathReadBy(`cat a ${"| head ".repeat(70)} !`);

    expect(performance.now() - start).toBeLessThan(100);
  });
});
