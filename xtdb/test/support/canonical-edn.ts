/** Moments of these years come from a clock; the recordings use no other. */
const clock = /^20[2-8]\d-/;

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "#{": "}" };

/** Strings and characters, brackets, tags and all other words; commas are spaces. */
const token = /[\s,]*("(?:\\.|[^"\\])*"|\\(?:u[0-9a-fA-F]{4}|\w+|.)|#\{|#[\w./-]+|[()[\]{}]|[^\s,()[\]{}"]+)/sy;

/**
 * One text for all EDN texts that mean the same: maps and sets sorted, moments by their instant, those of the clock as
 * `<time>`. A list is no vector, and 1, 1N, 1.0 and 1M are four numbers.
 */
export function canonicalEdn(text: string): string {
  const words = tokens(text);
  const value = read(words);
  if (words.length > 0) throw new SyntaxError(`EDN goes on after its first value: ${words[0]}`);
  return value;
}

function tokens(text: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  let end = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    found.push(match[1] ?? "");
    end = token.lastIndex;
  }
  if (text.slice(end).trim() !== "") throw new SyntaxError(`no EDN at character ${end}`);
  return found;
}

function read(words: string[]): string {
  const word = words.shift();
  if (word === undefined) throw new SyntaxError("EDN ends too early");
  const close = closing[word];
  if (close !== undefined) return collection(word, close, words);
  if (word.startsWith('"')) return JSON.stringify(JSON.parse(word.replace(/\p{Cc}/gu, escaped)));
  if (word.startsWith("#")) return tagged(word, read(words));
  if (/^[)\]}]$/.test(word)) throw new SyntaxError(`EDN has a ${word} too many`);
  return /^[+-]?\d.*[.eE]/.test(word) && !word.endsWith("M") ? `double ${Number(word)}` : word;
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function collection(open: string, close: string, words: string[]): string {
  const members: string[] = [];
  while (words[0] !== close) members.push(read(words));
  words.shift();
  if (open === "{") {
    const entries = members.flatMap((key, at) => (at % 2 === 0 ? [`${key} ${members[at + 1]}`] : []));
    return `{${entries.sort().join(", ")}}`;
  }
  return open + (open === "#{" ? members.sort() : members).join(" ") + close;
}

function tagged(tag: string, value: string): string {
  if (tag.startsWith("#object")) throw new SyntaxError("EDN that cannot be read again");
  if (tag !== "#inst") return `${tag} ${value}`;
  const moment: string = JSON.parse(value);
  if (moment === "<time>" || clock.test(moment)) return "#inst <time>";
  return `#inst ${new Date(moment.replace("-00:00", "Z")).toISOString()}`;
}
