import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const here = import.meta.dirname;
const folder = join(here, "lib");
/** The runnable server; git ignores it. */
export const jar: string = join(folder, "s3proxy.jar");
const [pinned = ""] = readFileSync(join(here, "s3proxy.sha256"), "utf8").split(" ");
/** Time for Maven with an empty local repository and a slow network. */
const mavenMs = 300_000;
const oldestJava = 17;

/** Why this machine cannot run the server; the tests that need it are then left out by name. */
export class MissingTool extends Error {}

/** Says in a few words what a start of the server lacks on this machine, or undefined when nothing. */
function whatIsMissing(): string | undefined {
  if (process.platform === "win32") return "a POSIX shell";
  if (!hasJava()) return `Java ${oldestJava}`;
  const { error } = existsSync(jar) ? {} : spawnSync("mvn", ["-v"], { timeout: 20_000 });
  return error === undefined ? undefined : "Maven";
}

/**
 * Leaves the pinned jar in place; starts Maven only where it is missing or another file. Several processes may do so at
 * once: each fetches into a folder of its own, and the last rename wins.
 * @throws MissingTool without Java, Maven or a way to Maven Central; Error for another jar than the pinned one
 */
export async function prepareServer(say: (line: string) => void = () => {}): Promise<void> {
  const missing = whatIsMissing();
  if (missing !== undefined) throw new MissingTool(`The S3 server of the tests needs ${missing}, which is not here.`);
  if (existsSync(jar) && (await sha256Of(jar)) === pinned) return;
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, "fetching-"));
  try {
    say("Fetching S3Proxy from Maven Central (55 MB)");
    await fetchInto(own);
    const fetched = join(own, "s3proxy.jar");
    if ((await sha256Of(fetched)) !== pinned) {
      throw new Error("s3proxy.jar from Maven is not the file that s3proxy.sha256 names; empty its folder in ~/.m2.");
    }
    await rename(fetched, jar);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Prepares the server where this machine can; false where a tool or a way to Maven Central is missing. */
export async function canServe(): Promise<boolean> {
  try {
    await prepareServer();
    return true;
  } catch (error) {
    if (error instanceof MissingTool) return false;
    throw error;
  }
}

async function fetchInto(target: string): Promise<void> {
  // -C: a download whose checksum is wrong fails. Without -U Maven believes for a day that what it missed once is not there.
  const args = ["-B", "-ntp", "-C", "-q", "-U", "-f", join(here, "pom.xml"), `-Dfolder=${target}`, "dependency:copy"];
  const child = spawn("mvn", args, { stdio: ["ignore", "pipe", "pipe"], timeout: mavenMs });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
  if (code === 0) return;
  throw new MissingTool(
    code === null ? "Maven is not on the PATH (Debian: maven)." : `Maven could not fetch S3Proxy:\n${output}`,
  );
}

function hasJava(): boolean {
  const { stderr } = spawnSync("java", ["-version"], { encoding: "utf8", timeout: 20_000 });
  const [, feature] = /version "(\d+)/.exec(stderr ?? "") ?? [];
  return Number(feature) >= oldestJava;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
