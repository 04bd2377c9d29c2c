import { type Action, check, compileBundle, parseBundle } from "@cm/governance";
import { absolute, type Figure } from "./figure.ts";

const rulesPerList = 250;
const rounds = 5;
const checks = 20_000;
const now = Date.parse("2026-01-01T00:00:00Z");
const numbered = (name: (n: number) => string) => Array.from({ length: rulesPerList }, (_, n) => name(n));

/** One check under a bundle of 1,000 rules: paths, commands and domains, blocked and allowed. */
export async function governanceBench(): Promise<readonly Figure[]> {
  const policy = compileBundle(
    parseBundle({
      policyBundleVersion: "1",
      schemaVersion: "1.0",
      tenantId: "t",
      userId: "u",
      sessionId: "s",
      expiresAt: "2027-01-01T00:00:00Z",
      capabilities: [
        {
          name: "File.Read",
          allowedPaths: numbered((n) => `/work/project-${n}/src`),
          blockedPaths: numbered((n) => `/work/project-${n}/src/secret`),
        },
        { name: "Shell.Exec", allowedCommands: [...numbered((n) => `tool-${n}`), "git", "npm"] },
        { name: "Network.Http", allowedDomains: numbered((n) => `host-${n}.example.com`) },
      ],
    }),
    { resolvePath: (path) => path },
  );
  const kinds: readonly (readonly [string, string, Action])[] = [
    ["path", "a path of 8 folders", { capability: "File.Read", path: "/work/project-249/src/a/b/c/d/e.ts" }],
    [
      "command",
      "a text of three programs",
      { capability: "Shell.Exec", command: 'git log --oneline "$REF" | tool-249 -n 1 && npm test' },
    ],
    ["domain", "a URL", { capability: "Network.Http", url: "https://api.host-249.example.com/v1/items?page=2" }],
  ];
  return kinds.map(([id, what, action]) =>
    absolute({ id: `governance.check.${id}`, what: `one check of ${what} at 1,000 rules`, unit: "us", goal: 20 }, [
      ...Array.from({ length: rounds }, () => microsecondsOf(() => check(policy, action, now))),
    ]),
  );
}

function microsecondsOf(run: () => { readonly outcome: string }): number {
  const start = performance.now();
  for (let time = 0; time < checks; time++) {
    if (run().outcome !== "allowed") throw new Error("The check does not allow what it is to allow.");
  }
  return ((performance.now() - start) * 1_000) / checks;
}
