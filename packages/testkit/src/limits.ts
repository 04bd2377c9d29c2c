/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** Time of one case, unless told otherwise: far more than any case needs, also on a busy machine. */
  caseMs: 120_000,
  /** The longest time of a case that may be asked for. */
  caseMsMax: 86_400_000,
  /** Wait for the end of a subject whose law failed. */
  closeMs: 10_000,
  /** Ids or names of one call that the message of a failed law tells. */
  toldNamesMax: 4,
  /** The longest id or name in such a message. */
  toldNameCharsMax: 100,
  /** Start line and headers of one message that the fault proxy passes on. */
  headBytesMax: 256 * 1024,
  /** One message that the fault proxy passes on: it holds a message whole before it lets go of it. */
  messageBytesMax: 256 * 1024 * 1024,
  /** Connections from clients that are open at once. More are closed as they come. */
  connectionsMax: 1_024,
  /** Requests of one round that the fault proxy remembers; the oldest go first, the count goes on. */
  seenRequestsMax: 100_000,
  /** Rules of one plan. */
  faultRulesMax: 1_000,
  /** Pause between two bytes of a dripping reply, unless told otherwise. */
  dripMs: 10,
  /** The longest such pause that may be asked for. */
  dripMsMax: 60_000,
  /** Deadline that the laws of sources give for an ordinary batch. */
  observeMs: 60_000,
  /** After this, a law of sources gives up waiting for an answer that should have come long ago. */
  sourceWaitMs: 70_000,
  /** The end of what a writer process says on stderr. */
  writerErrorCharsMax: 16_384,
} as const;
