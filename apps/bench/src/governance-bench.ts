import {
  type Action,
  check,
  compileBundle,
  governedEvent,
  parseBundle,
  stepChain,
  telemetryView,
} from "@cm/governance";
import { absolute, type Figure } from "./figure.ts";

const rulesPerList = 250;
const rounds = 5;
const checks = 20_000;
const now = Date.parse("2026-01-01T00:00:00Z");
const numbered = (name: (n: number) => string) => Array.from({ length: rulesPerList }, (_, n) => name(n));

/** One check under a bundle of 1,000 rules: paths, commands and domains, blocked and allowed; and one event of a step. */
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
  const checking = kinds.map(([id, what, action]) =>
    absolute({ id: `governance.check.${id}`, what: `one check of ${what} at 1,000 rules`, unit: "us", goal: 20 }, [
      ...Array.from({ length: rounds }, () => microsecondsOf(() => check(policy, action, now))),
    ]),
  );
  return [...checking, saying()];
}

/** All that a step pays for an event: it is made, checked and put into a queue. */
function saying(): Figure {
  const chain = stepChain({ workspaceId: "w", sessionId: "s", taskId: "t", stepId: "step-1" });
  const facts = { chain, tenantId: "t", userId: "u", at: now, component: "LocalAgentHost" as const };
  const payload = {
    callId: "call_1",
    toolName: "bash",
    capability: "Shell.Exec",
    risk: "high",
    arguments: "x",
  } as const;
  const known = { names: new Set(["bash", "Shell.Exec"]) };
  const say = () => {
    const event = governedEvent("tool_requested", { ...facts, eventId: "e1", payload });
    return { outcome: telemetryView(event, known).payload.toolName === "bash" ? "allowed" : "lost" };
  };
  return absolute(
    { id: "governance.event", what: "one event of a tool's call, for audit and telemetry", unit: "us", goal: 20 },
    Array.from({ length: rounds }, () => microsecondsOf(say)),
  );
}

function microsecondsOf(run: () => { readonly outcome: string }): number {
  const start = performance.now();
  for (let time = 0; time < checks; time++) {
    if (run().outcome !== "allowed") throw new Error("The check does not allow what it is to allow.");
  }
  return ((performance.now() - start) * 1_000) / checks;
}
