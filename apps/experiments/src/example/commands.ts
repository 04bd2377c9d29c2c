/** The commands that the script runs. They print the same on every machine. */
export const commands = {
  listFiles: "find . -type f | sort",
  countLines: `node -e '${[
    `const fs = require("node:fs");`,
    `const files = fs.readdirSync(".", { recursive: true }).filter((file) => fs.statSync(file).isFile());`,
    `for (const file of files.sort()) console.log(fs.readFileSync(file, "utf8").split("\\n").length, file);`,
  ].join(" ")}'`,
  checkAll: "node check.mjs",
} as const;

export function firstLines(path: string, lines: number): string {
  return `sed -n '1,${lines}p' -- ${quoted(path)}`;
}

/** Names the files that hold the pattern; fails where none does. */
export function filesWith(pattern: string, paths: readonly string[]): string {
  return `grep -l -e ${quoted(pattern)} -- ${paths.map(quoted).join(" ")}`;
}

/** A program that the agent writes into the folder: it parses all code there and names what does not. */
export const checkProgram = `import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const files = readdirSync(".", { recursive: true }).filter((file) => /\\.[cm]?[jt]s$/.test(file));
const broken = files.filter((file) => {
  try {
    stripTypeScriptTypes(readFileSync(file, "utf8"), { mode: "transform" });
    return false;
  } catch {
    return true;
  }
});
for (const file of broken.sort()) console.log(\`\${file} does not parse\`);
console.log(\`parsed: \${files.length - broken.length}, broken: \${broken.length}\`);
process.exitCode = broken.length === 0 ? 0 : 1;
`;

/** A word of the shell, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
