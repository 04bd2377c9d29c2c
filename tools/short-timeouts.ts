// Timeouts in tests that a busy machine turns red: a limit there is for what hangs, and no shorter than Vitest's is here.

const shortestMs = 60_000;

const number = String.raw`(\d[\d_]*(?:\.\d+)?(?:e\d+)?)`;

/** Where Vitest takes a limit: its number is the first group that matched. */
const places: readonly RegExp[] = [
  // An option: it("…", { timeout }, …), vi.waitFor(…, { timeout }), expect.poll(…, { timeout }).
  new RegExp(String.raw`(?<!args: )\{[^{}()]*?\btimeout:\s*${number}\s*[,}]`, "g"),
  // vi.setConfig({ testTimeout, hookTimeout }).
  new RegExp(String.raw`\b(?:testTimeout|hookTimeout):\s*${number}`, "g"),
  // A constant that the shorthand { timeout } names.
  new RegExp(String.raw`\bconst (?:timeout|testTimeout|hookTimeout) = ${number};`, "g"),
  // The last argument of a test or a hook over several lines: it opens and ends at the same column.
  new RegExp(
    String.raw`^([ \t]*)(?:it|test|describe|bench|before|after|beforeAll|afterAll|beforeEach|afterEach)\b.*\n(?:(?!\1\S).*\n)*?\1\}+\)*, ${number}\);`,
    "gm",
  ),
  // The same on one line.
  new RegExp(String.raw`^[ \t]*(?:it|test|beforeAll|afterAll|beforeEach|afterEach)\b.*[)}], ${number}\);$`, "gm"),
  // The last argument of a wait.
  new RegExp(String.raw`\bvi\.wait(?:For|Until)\([^;]*?, ${number}\);`, "g"),
];

/** A whole `vi.waitFor(…)`, which waits for a second where it is given no limit. */
const wait =
  /^([ \t]*).*\bvi\.wait(?:For|Until)\((?:\n(?:(?!\1\S).*\n)*\1\)|.*(?:\{\n(?:(?!\1\S).*\n)*\1\}.*|\))\)?);/gm;
const limited = /\btimeout\b|, (?:\d|[\w.]+ \* )[\w.* ]*\);$/;

/** What is too short in a test's text: `line: what`, in the order of the text. */
export function shortTimeouts(text: string): string[] {
  const found = places.flatMap((place) =>
    [...text.matchAll(place)].flatMap((match) => {
      const given = match.at(-1) ?? "";
      const ms = Number(given.replaceAll("_", ""));
      return ms >= shortestMs ? [] : [{ at: match.index + match[0].lastIndexOf(given), what: `${given} ms` }];
    }),
  );
  const unlimited = [...text.matchAll(wait)]
    .filter(([call]) => !limited.test(call))
    .map(({ index }) => ({ at: index, what: "a wait of one second" }));
  return [...found, ...unlimited]
    .sort((a, b) => a.at - b.at)
    .map(({ at, what }) => `${text.slice(0, at).split("\n").length}: ${what}`);
}
