// Limits of time that a test gives itself: on a busy machine they fail what works. There is one for all, `patienceMs`.

const value = String.raw`([\w.]+(?: \* [\w.]+)*)`;
const runs = "it|test|describe|bench|beforeAll|afterAll|beforeEach|afterEach";

/** Where Vitest takes a limit: it is the last group that matched. */
const places: readonly RegExp[] = [
  // An option: it("…", { timeout: 5 }, …), expect.poll(…, { timeout: 5 }). A call of an agent's tool may have one, too.
  new RegExp(String.raw`(?<!args: )\{[^{}()]*?\btimeout: ${value}\s*[,}]`, "g"),
  // The shorthand of a constant: it("…", { timeout }, …).
  new RegExp(String.raw`^[ \t]*(?:${runs})\b.*\{ (timeout) \}`, "gm"),
  // vi.setConfig({ testTimeout, hookTimeout }).
  /\b((?:test|hook)Timeout)\b/g,
  // The last argument of a test or a hook over several lines: it opens and ends at the same column.
  new RegExp(String.raw`^([ \t]*)(?:${runs})\b.*\n(?:(?!\1\S).*\n)*?\1\}+\)*, ${value}\);`, "gm"),
  // The same on one line.
  new RegExp(String.raw`^[ \t]*(?:${runs})\b.*[)}], ${value}\);$`, "gm"),
  // A wait of one second unless told otherwise; expect.poll waits as long as a test may.
  /\b(vi\.wait(?:For|Until))\(/g,
];

/** Each limit in a test's text, as `line: what`, in the order of the text. */
export function ownTimeouts(text: string): string[] {
  return places
    .flatMap((place) => [...text.matchAll(place)])
    .map((match) => ({ at: match.index + match[0].lastIndexOf(match.at(-1) ?? ""), what: match.at(-1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ at, what }) => `${text.slice(0, at).split("\n").length}: ${what}`);
}
