import { namedPolicies, policyGroups, policyNames } from "@cm/replay";

/** `policies`: what `--policy` knows, a sentence each. */
export function policies(): void {
  const width = Math.max(...policyNames.map(({ length }) => length));
  const lines = policyNames.map((name) => `${name.padEnd(width)}  ${namedPolicies[name].describe}`);
  const groups = Object.entries(policyGroups).map(([group, names]) => `${group.padEnd(width)}  ${names.join(", ")}`);
  process.stdout.write(`${[...lines, "", "Names for several:", ...groups].join("\n")}\n`);
}
