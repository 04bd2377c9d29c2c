// @module-tag long
// Verifies: SSOT 5.3, T8: random paths through random tables and back, beside a plain second reading of the rules.
import { type MountMapping, mountTable, type Place } from "@cm/sources-fs";
import { createRandom, plannedSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";

const pathsPerTable = 800;
const names = ["a", "b", "ab", "a b", "..a", "...", "A", "\u00E4", "a\\040", "__proto__"];
const oddParts = [...names, ...names, "", ".", "..", ".."];
const ids = ["host", "nas", "own"];
const defaultFilesystemId = "own";

// 100 tables with 80,000 paths; ten times as many in a campaign.
it("translates no path out of its mapping, and each one back to the same file", () => {
  const seeds = plannedSeeds({ runs: 100 });

  for (const seed of seeds) {
    try {
      checkTable(createRandom(seed));
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const replay = `Repeat with: CM_SEED=${seed} pnpm exec vitest run packages/sources-fs/test/mounts-random.test.ts`;
      throw new Error(`Seed ${seed}: ${said}\n${replay}`, { cause: error });
    }
  }

  expect(seeds.length).toBeGreaterThanOrEqual(1);
});

function checkTable(random: Random): void {
  const mappings = randomMappings(random);
  const table = mountTable({ mappings, defaultFilesystemId });
  for (let n = 0; n < pathsPerTable; n += 1) {
    const agentPath = randomPath(random, mappings, "agentPrefix");
    const place = table.toCanonical(agentPath);
    const expected = forward(mappings, agentPath);
    if (!isSame(place, expected.place) || place.mapped !== (expected.mapping !== undefined)) {
      throw new Error(`${agentPath} is at ${shown(place)}, not at ${shown(expected.place)}`);
    }
    if (expected.mapping !== undefined && !isBelow(place.path, expected.mapping.canonicalPrefix)) {
      throw new Error(`${agentPath} is outside its mapping: ${shown(place)}`);
    }
    const back = table.toAgent(place);
    if (back === undefined || !isSame(table.toCanonical(back), place)) {
      throw new Error(`${agentPath} comes back as ${back}`);
    }
    checkReverse(table.toAgent(place), { mappings, place });
    // And a place without an origin.
    const other = { filesystemId: random.pick(ids), path: randomPath(random, mappings, "canonicalPrefix") };
    checkReverse(table.toAgent(other), { mappings, place: other });
  }
}

function checkReverse(
  agentPath: string | undefined,
  { mappings, place }: { readonly mappings: readonly MountMapping[]; readonly place: Place },
): void {
  const expected = reverse(mappings, place);
  if (agentPath !== expected) throw new Error(`${shown(place)} is shown as ${agentPath}, not as ${expected}`);
}

// The second reading: lists of parts, every mapping tried, nothing shared with the code.

function forward(
  mappings: readonly MountMapping[],
  agentPath: string,
): { readonly place: Place; readonly mapping: MountMapping | undefined } {
  const parts = partsOf(agentPath);
  let mapping: MountMapping | undefined;
  for (const one of mappings) {
    const prefix = partsOf(one.agentPrefix);
    if (!begins(parts, prefix)) continue;
    if (mapping === undefined || prefix.length > partsOf(mapping.agentPrefix).length) mapping = one;
  }
  if (mapping === undefined) return { place: { filesystemId: defaultFilesystemId, path: pathOf(parts) }, mapping };
  const rest = parts.slice(partsOf(mapping.agentPrefix).length);
  const path = pathOf([...partsOf(mapping.canonicalPrefix), ...rest]);
  return { place: { filesystemId: mapping.filesystemId, path }, mapping };
}

function reverse(mappings: readonly MountMapping[], place: Place): string | undefined {
  const parts = partsOf(place.path);
  const normal = { filesystemId: place.filesystemId, path: pathOf(parts) };
  const leadsThere = (agentPath: string): boolean => isSame(forward(mappings, agentPath).place, normal);
  let best: { readonly agentPath: string; readonly depth: number } | undefined;
  for (const { agentPrefix, canonicalPrefix, filesystemId } of mappings) {
    const prefix = partsOf(canonicalPrefix);
    if (filesystemId !== place.filesystemId || !begins(parts, prefix)) continue;
    const agentPath = pathOf([...partsOf(agentPrefix), ...parts.slice(prefix.length)]);
    if (leadsThere(agentPath) && prefix.length > (best?.depth ?? -1)) best = { agentPath, depth: prefix.length };
  }
  if (best !== undefined) return best.agentPath;
  return place.filesystemId === defaultFilesystemId && leadsThere(normal.path) ? normal.path : undefined;
}

const partsOfKnown = new Map<string, readonly string[]>();

function partsOf(path: string): readonly string[] {
  const known = partsOfKnown.get(path);
  if (known !== undefined) return known;
  // Prefixes come again and again.
  if (partsOfKnown.size > 1_000) partsOfKnown.clear();
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  partsOfKnown.set(path, parts);
  return parts;
}

function pathOf(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}

function begins(parts: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((part, place) => parts[place] === part);
}

function isBelow(path: string, prefix: string): boolean {
  return begins(partsOf(path), partsOf(prefix)) && !path.split("/").some((part) => part === ".." || part === ".");
}

function isSame(one: Place, other: Place): boolean {
  return one.filesystemId === other.filesystemId && one.path === other.path;
}

function shown({ filesystemId, path }: Place): string {
  return `${filesystemId}:${path}`;
}

function randomMappings(random: Random): readonly MountMapping[] {
  const mappings = random.some(9, () => ({
    agentPrefix: pathOf(random.some(4, () => random.pick(names))) + random.pick(["", "/", "//."]),
    canonicalPrefix: pathOf(random.some(4, () => random.pick(names))) + random.pick(["", "/"]),
    filesystemId: random.pick(ids),
  }));
  const byPrefix = new Map(mappings.map((mapping) => [pathOf(partsOf(mapping.agentPrefix)), mapping]));
  return [...byPrefix.values()];
}

/** Mostly near a prefix, always with parts that do nothing or lead up. */
function randomPath(
  random: Random,
  mappings: readonly MountMapping[],
  side: "agentPrefix" | "canonicalPrefix",
): string {
  const near = mappings.length > 0 && random.chance(0.7) ? random.pick(mappings)[side] : "";
  const glue = random.chance(0.1) ? random.pick(names) : "/";
  return `${near === "" ? "/" : `${near}${glue}`}${random.some(7, () => random.pick(oddParts)).join("/")}`;
}
