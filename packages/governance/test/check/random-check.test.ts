// Verifies: the compiled check answers as a slow reading of the rules, and nothing hostile passes it.
import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type Action, check, compileBundle, type PolicyBundle, parseBundle } from "../../src/index.ts";

const file = "packages/governance/test/check/random-check.test.ts";
const now = 1_800_000_000_000;
const names = ["a", "b", "c", "secret"];
const links = new Map([
  ["/a/link", "/c/secret"],
  ["/b/link", "/a"],
  ["/c/link", "/b/secret"],
]);

/** Follows the links of a path from its start, as a filesystem does. */
function resolve(path: string): string {
  let real = "";
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    real = name === ".." ? real.slice(0, Math.max(0, real.lastIndexOf("/"))) : `${real}/${name}`;
    real = links.get(real) ?? real;
  }
  return real === "" ? "/" : real;
}

const randomPath = (random: Random): string =>
  `/${random.some(5, () => random.pick([...names, "link", "..", ".", ""])).join("/")}`;
const rulePath = (random: Random): string => `/${random.some(3, () => random.pick(names)).join("/")}`;
const domain = (random: Random): string => [...random.some(3, () => random.pick(names)), "test"].join(".");
const listOf = (random: Random, make: () => string) => (random.chance(0.5) ? random.some(4, make) : undefined);
const commands = ["git", "npm", "rm", "ls"];

function randomBundle(random: Random): PolicyBundle {
  const grant = (name: string, more: object) => ({ name, requiresApproval: random.chance(0.3), ...more });
  const given = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = () => rulePath(random);
  const command = () => random.pick(commands);
  const host = () => domain(random);
  const all = [
    grant("File.Read", given({ allowedPaths: listOf(random, path), blockedPaths: listOf(random, path) })),
    grant("Shell.Exec", given({ allowedCommands: listOf(random, command), blockedCommands: listOf(random, command) })),
    grant("Network.Http", given({ allowedDomains: listOf(random, host), blockedDomains: listOf(random, host) })),
  ];
  return parseBundle({
    policyBundleVersion: "1",
    schemaVersion: "1.0",
    tenantId: "t",
    userId: "u",
    sessionId: "s",
    expiresAt: new Date(now + random.pick([0, 1, 1_000])).toISOString(),
    capabilities: all.filter(() => random.chance(0.8)),
  });
}

/** An action, with what it is about in the words of the rules: real paths, names of programs, a host. */
function randomAction(random: Random): { readonly action: Action; readonly about: readonly string[] } {
  const dice = random.below(3);
  if (dice === 0) {
    const path = randomPath(random);
    return { action: { capability: "File.Read", path }, about: [path] };
  }
  if (dice === 1) {
    const about = [random.pick(commands), ...random.some(3, () => random.pick(commands))];
    const join = random.pick([" | ", "; ", " && ", " x\n"]);
    const spelled = about.map((name) =>
      random.pick([name, `/usr/bin/${name}`, `"${name}"`, `X=1 ${name}`, `! ${name}`]),
    );
    return { action: { capability: "Shell.Exec", command: spelled.join(join) }, about };
  }
  const host = domain(random);
  const url = `${random.pick(["http", "HTTPS"])}://${random.pick([host, host.toUpperCase(), `${host}.`])}/x`;
  return { action: { capability: "Network.Http", url }, about: [host] };
}

/** The rules, one after the other, without anything made ready. */
function slowCheck(bundle: PolicyBundle, action: Action, about: readonly string[]): string {
  if (Date.parse(bundle.expiresAt) <= now) return "policy_expired";
  const grant = bundle.capabilities.find(({ name }) => name === action.capability);
  if (grant === undefined) return "not_granted";
  const below = (path: string, rules: readonly string[] = []) =>
    rules.some((rule) => {
      const folder = resolve(rule);
      return folder === "/" || path === folder || path.startsWith(`${folder}/`);
    });
  if (action.path !== undefined) {
    const real = resolve(action.path);
    const byName = new URL(`file://${action.path.replaceAll(/\/+/g, "/")}`).pathname.replace(/(.)\/$/, "$1");
    if (below(real, grant.blockedPaths) || below(byName, grant.blockedPaths)) return "path_blocked";
    if (grant.allowedPaths !== undefined && !below(real, grant.allowedPaths)) return "path_not_allowed";
  }
  if (action.command !== undefined) {
    if (about.some((name) => grant.blockedCommands?.includes(name))) return "command_blocked";
    const { allowedCommands } = grant;
    if (allowedCommands !== undefined && !about.every((name) => allowedCommands.includes(name))) {
      return "command_not_allowed";
    }
  }
  if (action.url !== undefined) {
    const within = (rules: readonly string[] = []) =>
      rules.some((rule) => about[0] === rule || about[0]?.endsWith(`.${rule}`));
    if (within(grant.blockedDomains)) return "domain_blocked";
    if (grant.allowedDomains !== undefined && !within(grant.allowedDomains)) return "domain_not_allowed";
  }
  return grant.requiresApproval === true ? "asks" : "allowed";
}

describe("the check of random actions under random bundles", () => {
  it("answers as a slow reading of the rules", async () => {
    const answers = new Map<string, number>();
    await forSeeds({ short: 400, long: 20_000, file }, (random) => {
      const bundle = randomBundle(random);
      const compiled = compileBundle(bundle, { resolvePath: resolve });
      for (let time = 0; time < 25; time++) {
        const { action, about } = randomAction(random);
        const verdict = check(compiled, action, now);

        const said = verdict.outcome === "denied" ? verdict.reason : verdict.outcome;
        answers.set(said, (answers.get(said) ?? 0) + 1);
        expect({ bundle, action, said }).toEqual({ bundle, action, said: slowCheck(bundle, action, about) });
      }
    });
    if (process.env.CM_SEED === undefined) expect(answers.size).toBe(10);
  });
});

const strict = compileBundle(
  parseBundle({
    policyBundleVersion: "1",
    schemaVersion: "1.0",
    tenantId: "t",
    userId: "u",
    sessionId: "s",
    expiresAt: new Date(now + 1).toISOString(),
    capabilities: [
      { name: "File.Read", allowedPaths: ["/a"], blockedPaths: ["/a/secret"] },
      { name: "Network.Http", allowedDomains: ["good.test"], blockedDomains: ["bad.good.test"] },
    ],
  }),
  { resolvePath: resolve },
);

const pathPieces = [
  ...names,
  "link",
  "..",
  "...",
  ".",
  "",
  "%2e%2e",
  "a\\..",
  "\u0000",
  "..\u200b",
  "~",
  "SECRET",
  "…",
];
const hostPieces = [
  "good.test",
  "evil.test",
  "bad.good.test",
  "%67ood.test",
  "ｇood.test",
  "good.test.",
  "127.1",
  "[::1]",
  "",
];
const urlGlue = [
  "",
  "@",
  "\\",
  "\\@",
  "#@",
  "?@",
  "/@",
  ":80@",
  " ",
  "\t",
  "\n",
  ".",
  "..",
  "%00",
  "%2f",
  "//",
  ":",
  ":@",
];

describe("of what is hostile", () => {
  /** A hundred each; commands are judged by a real bash, in `bash-oracle.test.ts`. */
  const seeds = { short: 30, long: 1_000, file };

  it("no path outside passes", async () => {
    await forSeeds(seeds, (random) => {
      for (let time = 0; time < 100; time++) {
        const start = random.pick(["/", "/a/", "//", "C:\\", "\\\\?\\", "a/", "./", "/a/../"]);
        const path = `${start}${random.some(6, () => random.pick(pathPieces)).join("/")}`;
        if (check(strict, { capability: "File.Read", path }, now).outcome === "denied") continue;
        const real = resolve(path);
        expect({ path, isInside: /^\/a(\/|$)/.test(real) && !/^\/a\/secret(\/|$)/.test(real) }).toEqual({
          path,
          isInside: true,
        });
      }
    });
  });

  it("no path passes that a filesystem may take for a blocked one", async () => {
    const spelled = (random: Random, letter: string) =>
      random.pick([
        letter,
        letter.toUpperCase(),
        String.fromCodePoint(0xfee0 + (letter.codePointAt(0) ?? 0)),
        letter === "s" ? "\u017f" : letter,
        `${letter}${random.pick(["\u200b", "\u200d", "\ufeff", "\u00ad"])}`,
      ]);
    await forSeeds(seeds, (random) => {
      for (let time = 0; time < 100; time++) {
        const name = [..."secret"].map((letter) => spelled(random, letter)).join("");
        const path = `/${random.pick(["a", "a/.", "a/b/..", "/a"])}/${name}${random.pick(["", ".", " ", "/x", "/../secret"])}`;
        const { outcome } = check(strict, { capability: "File.Read", path }, now);
        expect({ path, outcome }).toEqual({ path, outcome: "denied" });
      }
    });
  });

  it("no URL of another host passes", async () => {
    let passed = 0;
    await forSeeds(seeds, (random) => {
      for (let time = 0; time < 100; time++) {
        const scheme = random.pick([
          "http://",
          "https://",
          "HTTP://",
          "ftp://",
          "http:",
          "http:/",
          "http:\\\\",
          "//",
          "",
        ]);
        const host = () => random.pick(hostPieces);
        const url = `${scheme}${host()}${random.pick(urlGlue)}${host()}${random.pick(urlGlue)}`;
        if (check(strict, { capability: "Network.Http", url }, now).outcome === "denied") continue;
        passed += 1;
        const { hostname } = new URL(url);
        const isGood = /^(?:.+\.)?good\.test\.?$/.test(hostname) && !/^(?:.+\.)?bad\.good\.test\.?$/.test(hostname);
        expect({ url, isGood }).toEqual({ url, isGood: true });
      }
    });
    if (process.env.CM_SEED === undefined) expect(passed).toBeGreaterThan(10);
  });
});
