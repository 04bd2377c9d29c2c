import { limits } from "../limits.ts";

const path = "(?:\"([^\"$`]+)\"|'([^']+)'|([^\\s\"'$`;&|<>*?(){}]+))";
const quiet = "(?:\\s+2>(?:&1|/dev/null))?";
const narrowed = "(?:\\s*\\|\\s*(?:head|tail|cat|nl|sed -n)\\b[^|;&<>`$]*)*";
const folder = new RegExp(`^cd\\s+${path}\\s*&&\\s*`);
const printers = [
  `(?:cat|nl|bat)(?:\\s+-\\w+)*\\s+${path}`,
  `sed\\s+-n\\s+(?:"[^"]*"|'[^']*'|[\\w,$]+p)\\s+${path}`,
  `(?:head|tail)(?:\\s+-n?\\s*\\+?\\d+)*\\s+${path}`,
].map((printer) => new RegExp(`^${printer}${quiet}${narrowed}\\s*$`));

/** The file that a shell command prints and nothing else: `cat a.ts`, `cd x && sed -n '1,40p' a.ts | head -20`. */
export function pathReadBy(command: string): string | undefined {
  if (command.length > limits.shellCommandCharsMax) return undefined;
  const inside = folder.exec(command);
  const rest = inside === null ? command.trim() : command.slice(inside[0].length).trim();
  for (const printer of printers) {
    const found = printer.exec(rest);
    if (found === null) continue;
    const named = found[1] ?? found[2] ?? found[3] ?? "";
    const base = inside === null ? undefined : (inside[1] ?? inside[2] ?? inside[3]);
    return base === undefined || named.startsWith("/") ? named : `${base}/${named}`;
  }
  return undefined;
}
