import { delimiter, join } from "node:path";
import type { Java } from "./java.ts";

export interface JavaSettings {
  readonly classPath: readonly string[];
  /** Belongs to one prepared state: libraries of another would not fit. */
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
    // Where memory runs out any thread may be hit; one without its ingester would look alive.
    "-XX:+ExitOnOutOfMemoryError",
    ...(quick ? ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] : []),
    ...archiveFlags(archive),
    // Java's own warnings would go to stdout, which is the launcher's.
    "-Xlog:disable",
    // XTDB reads and prints moments in the machine's zone otherwise.
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    `-Djava.io.tmpdir=${temporaryFolder}`,
    // XTDB unpacks RocksDB's native library there at every start, under one name, and two starts at once can load each
    // other's half a file (SIGBUS). Found on this path it is not unpacked; the run that made the class archive left it.
    `-Djava.library.path=${join(temporaryFolder, "xtdb_rocksdb-6.12.7")}`,
    `-XX:ErrorFile=${join(temporaryFolder, "crash-%p.log")}`,
    "-Dxtdb.enable-java-time-print-methods=true",
    "-Dxtdb.enable-base64-print-method=true",
    `-Dcm.xtdb.log=${logLevel}`,
    ...(logLevel === "INFO" ? [] : ["-Dcm.xtdb.log.pool=OFF"]),
    ...(java.feature >= 24 ? ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"] : []),
    "-cp",
    classPath.join(delimiter),
  ];
}

function archiveFlags(archive: JavaSettings["archive"]): string[] {
  if (archive === undefined) return [];
  return "use" in archive ? [`-XX:SharedArchiveFile=${archive.use}`] : [`-XX:ArchiveClassesAtExit=${archive.make}`];
}

/** These could undo any of the flags above, or show a secret to users who can see the process. */
const withheld = new Set(["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "CM_XTDB_TOKEN", "PGPASSWORD"]);

export function javaEnvironment(): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => !withheld.has(name));
  // glibc would keep an arena per thread and the process would look twice its size. Names of files are UTF-8 whatever
  // the terminal says.
  return { ...Object.fromEntries(passed), MALLOC_ARENA_MAX: "2", LC_ALL: "C.UTF-8" };
}
