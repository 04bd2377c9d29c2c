import { delimiter } from "node:path";
import type { Java } from "./java.ts";

export interface JavaSettings {
  readonly classPath: readonly string[];
  /** XTDB's RocksDB module unpacks a native library here; other toolchains get other folders. */
  readonly temporaryFolder: string;
  readonly heapMiB: number;
  /** Starts in half the time and works more slowly: for tests. */
  readonly quick: boolean;
  readonly archive?: { readonly use: string } | { readonly make: string } | undefined;
  readonly logLevel?: "INFO" | "WARN";
}

/** The command line of a Java process that runs the engine, up to the main class. Holds no secret. */
export function javaArguments(java: Java, settings: JavaSettings): string[] {
  const { classPath, temporaryFolder, heapMiB, quick, archive, logLevel = "INFO" } = settings;
  return [
    `-Xmx${heapMiB}m`,
    "-XX:-UsePerfData",
    ...(quick ? ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] : []),
    ...archiveFlags(archive),
    // Java's own warnings would go to stdout, which is the launcher's.
    "-Xlog:disable",
    "-Xlog:all=error:stderr",
    // XTDB reads and prints moments in the machine's zone otherwise.
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    `-Djava.io.tmpdir=${temporaryFolder}`,
    "-Dxtdb.enable-java-time-print-methods=true",
    "-Dxtdb.enable-base64-print-method=true",
    // The JDK's HTTP server waits 40 ms with every answer without it.
    "-Dsun.net.httpserver.nodelay=true",
    `-Dcm.xtdb.log=${logLevel}`,
    ...(java.feature >= 24 ? ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"] : []),
    "-cp",
    classPath.join(delimiter),
  ];
}

function archiveFlags(archive: JavaSettings["archive"]): string[] {
  if (archive === undefined) return [];
  return "use" in archive ? [`-XX:SharedArchiveFile=${archive.use}`] : [`-XX:ArchiveClassesAtExit=${archive.make}`];
}

/** glibc would keep an arena per thread and the process would look twice its size. */
export function javaEnvironment(): NodeJS.ProcessEnv {
  // JDK_JAVA_OPTIONS and friends could undo any of the flags above; names of files are UTF-8 whatever the terminal says.
  const { JDK_JAVA_OPTIONS: _, JAVA_TOOL_OPTIONS: __, _JAVA_OPTIONS: ___, ...rest } = process.env;
  return { ...rest, MALLOC_ARENA_MAX: "2", LC_ALL: "C.UTF-8" };
}
