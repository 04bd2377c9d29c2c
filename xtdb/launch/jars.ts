import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { checksums, made, pom } from "./folders.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";
import { type Ended, lastLines, runProgram } from "./run-program.ts";

interface PinnedJar {
  readonly path: string;
  readonly sha256: string;
}

/** The jars that make the engine, with their hashes: Maven has no lock file, so `lib.sha256` is ours. */
export function pinnedJars(): PinnedJar[] {
  return readFileSync(checksums, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [sha256 = "", name = ""] = line.trim().split(/\s+\*?/);
      return { sha256, path: join(made, basename(name)) };
    });
}

/** Size and time of every jar as one text, or undefined when one is missing. Cheap enough for every start. */
export function jarsAtAGlance(): string | undefined {
  const seen: string[] = [];
  for (const { path } of pinnedJars()) {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined) return undefined;
    seen.push(`${path} ${file.size} ${file.mtimeMs}`);
  }
  return seen.join("\n");
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function faultyJars(): Promise<PinnedJar[]> {
  const faulty: PinnedJar[] = [];
  for (const jar of pinnedJars()) {
    if (!existsSync(jar.path) || (await sha256Of(jar.path)) !== jar.sha256) faulty.push(jar);
  }
  return faulty;
}

/** Leaves every pinned jar in place with the right content. Does not start Maven when they are there already. */
export async function fetchJars(progress: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const faulty = await faultyJars();
  if (faulty.length === 0) return;
  await mkdir(made, { recursive: true });
  // Maven takes a file that is there as good, so a damaged one has to go first.
  await Promise.all(faulty.map(({ path }) => rm(path, { force: true })));
  progress("Fetching XTDB's jars from Maven Central (about 80 MB)");
  let ended = await runMaven([], signal);
  if (ended.code !== 0 && ended.outcome === "ended") {
    progress("A download failed; trying once more");
    // Without -U Maven believes for a day that what it missed once does not exist.
    ended = await runMaven(["-U"], signal);
  }
  if (ended.code !== 0) throw mavenFailure(ended);
  const [wrong] = await faultyJars();
  if (wrong === undefined) return;
  throw new NodeError(
    "node/checksum",
    `${basename(wrong.path)} from Maven is not the file that xtdb/lib.sha256 names; empty its folder in ~/.m2 and try again.`,
  );
}

function runMaven(extra: readonly string[], signal?: AbortSignal): Promise<Ended> {
  const maven = process.platform === "win32" ? "mvn.cmd" : "mvn";
  // -C: a download whose checksum is wrong fails, rather than being warned about.
  const args = ["-B", "-ntp", "-C", ...extra, "-f", pom, "dependency:copy-dependencies"];
  return runProgram(maven, args, { timeoutMs: nodeLimits.mavenMs, signal });
}

const networkTrouble =
  /UnknownHostException|Unknown host|Connection refused|connect timed out|Read timed out|Connection reset|No route to host|Network is unreachable|Temporary failure in name resolution|PKIX path building|Could not transfer artifact/i;

function mavenFailure({ outcome, output }: Ended): NodeError {
  if (outcome === "missing") {
    return new NodeError(
      "node/maven-missing",
      "Maven is needed once to fetch XTDB's jars, but `mvn` is not on the PATH; install it (Debian: maven).",
    );
  }
  if (outcome === "aborted") return new NodeError("node/aborted", "Fetching XTDB's jars was interrupted.");
  if (outcome === "too-slow" || networkTrouble.test(output)) {
    return new NodeError(
      "node/download",
      "Maven Central cannot be reached; the first start needs it, later ones do not. Check the network, the proxy and ~/.m2/settings.xml, then try again.",
      lastLines(output),
    );
  }
  const [, complaint] = /^\[ERROR\] (.*?)(?: -> \[Help.*)?$/m.exec(output) ?? [];
  return new NodeError(
    "node/download",
    `Maven could not fetch XTDB's jars: ${complaint ?? lastLines(output, 1)}`,
    output,
  );
}
