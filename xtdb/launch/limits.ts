/** Every bound of the launcher in one place; the unit is the last word. */
export const nodeLimits = {
  /** From the start of the Java process to the line that says where it listens. */
  startMs: 90_000,
  /** After this a node that was asked to stop is killed. XTDB itself gives up on its own parts after 10 s. */
  stopMs: 15_000,
  mavenMs: 600_000,
  /** 20 s where a processor is free; with twenty programs that want two processors it took more than five minutes. */
  compileMs: 900_000,
  archiveMs: 120_000,
  maintenanceMs: 3_600_000,
  /** How long one process waits for another that is preparing. */
  lockWaitMs: 2_700_000,
  lockLookMs: 150,
  /** The kept part of a program's output, to explain a failure. */
  outputCharactersMax: 64_000,
  logLinesMax: 30,
  logLineCharactersMax: 2_000,
  heapMiB: 1_024,
  quickHeapMiB: 256,
  leastHeapMiB: 128,
  mostHeapMiB: 1_048_576,
  /** Documents kept in memory per MiB of heap: with documents of 50 KB that is a fifth of the heap. */
  cachedDocumentsPerHeapMiB: 4,
  blockCacheBytes: 268_435_456,
  quickBlockCacheBytes: 33_554_432,
  postgresConnectionsMax: 10,
  /** HikariCP's own patience is 30 s; a database that is gone should be told sooner. */
  postgresConnectionMs: 5_000,
  /** Compiled states kept side by side, so that two Java versions do not undo each other's work. */
  preparedStatesMax: 4,
  tokenCharactersMax: 4_096,
} as const;

/** The oldest Java that XTDB and the door were tried with. */
export const oldestJava = 17;
