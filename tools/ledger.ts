/** The ways to leave a test out, or all others: as a method, as an option, or from within the test. */
const optOut =
  /\b(?:describe|suite|it|test|bench)(?:\.\w+)*\.(?:only|skip|todo|skipIf|runIf)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(|[{,]\s*(?:only|skip|todo)\s*:\s*true\b|\b(?:context|ctx)\.skip\(/g;

/** Each place in a test file that opts out, as `line: what`. Tests are left out through `requirement.ts` alone. */
export function optOuts(text: string): string[] {
  return [...text.matchAll(optOut)].map(
    (found) => `${text.slice(0, found.index).split("\n").length}: ${found[0].trim()}`,
  );
}
