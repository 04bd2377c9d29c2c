const escapedInDouble = new Set(['"', "\\", "$", "`"]);

/**
 * The words of a command as a shell splits them: at white space, with quotes taken off. Nothing is expanded, and
 * operators are words like others. Undefined where a quote is left open.
 */
export function shellWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (char === "'" || char === '"')) {
      quote = char;
      word ??= "";
    } else if (char === quote) quote = undefined;
    else if (char === "\\" && next !== "" && quote !== "'" && (quote === undefined || escapedInDouble.has(next))) {
      word = (word ?? "") + next;
      at += 1;
    } else word = (word ?? "") + char;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}
