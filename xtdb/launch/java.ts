import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { oldestJava } from "./limits.ts";
import { NodeError } from "./node-error.ts";

export interface Java {
  readonly executable: string;
  /** 17, 21, 25 ... */
  readonly feature: number;
  /** Tells one build of Java from another: a class archive fits one build only. */
  readonly build: string;
}

const program = process.platform === "win32" ? "java.exe" : "java";

/** Possible places of Java: JAVA_HOME first, then every folder of PATH. */
function candidates(env: NodeJS.ProcessEnv): string[] {
  const homes = env.JAVA_HOME ? [join(env.JAVA_HOME, "bin")] : [];
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...homes, ...folders].map((folder) => join(folder, program)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A JDK says its version in a file; asking the program costs a tenth of a second and is the way out. */
function describe(executable: string): string {
  try {
    return readFileSync(join(dirname(realpathSync(executable)), "..", "release"), "utf8");
  } catch {
    const said = spawnSync(executable, ["-version"], { encoding: "utf8", timeout: 20_000 });
    return said.stderr ?? "";
  }
}

function inspect(executable: string): Java | undefined {
  const build = describe(executable);
  const [, first, second] = /(?:JAVA_VERSION=|version )"(\d+)(?:\.(\d+))?/.exec(build) ?? [];
  if (first === undefined) return undefined;
  // Java 8 called itself 1.8.
  return { executable, feature: Number(first === "1" ? second : first), build };
}

/** The first Java that is new enough, or undefined. */
export function findJava(env: NodeJS.ProcessEnv = process.env): Java | undefined {
  for (const executable of candidates(env)) {
    const java = inspect(executable);
    if (java !== undefined && java.feature >= oldestJava) return java;
  }
  return undefined;
}

export function requireJava(env: NodeJS.ProcessEnv = process.env): Java {
  const java = findJava(env);
  if (java !== undefined) return java;
  const found = candidates(env)
    .map(inspect)
    .find((other) => other !== undefined);
  const seen =
    found === undefined ? "none was found in JAVA_HOME or on the PATH" : `${found.executable} is Java ${found.feature}`;
  throw new NodeError(
    "node/java-missing",
    `XTDB needs Java ${oldestJava} or newer, but ${seen}; install it (Debian: default-jdk-headless) or set JAVA_HOME.`,
  );
}
