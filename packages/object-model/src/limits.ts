/**
 * Every bound on what comes from outside, unit last. A store, a source or a harness may be stricter, never laxer.
 * Passing a bound is an error that names it. Texts are never cut; names of tools, models and mime types are.
 */
export const limits = {
  /** Text of one object, in UTF-8 bytes. Larger files are kept as null content with their hash. */
  contentBytesMax: 32 * 1024 * 1024,
  /** All other fields of one document together, as canonical JSON. */
  payloadBytesMax: 16 * 1024 * 1024,
  /** Nesting of arrays and objects in one document. */
  jsonDepthMax: 128,
  /** Members and elements in one document, at all depths together. */
  jsonValuesMax: 500_000,
  /** Object ids, in UTF-16 units. */
  idCharsMax: 512,
  /** Session ids, in UTF-16 units. */
  sessionIdCharsMax: 128,
  /** Paths and keys inside source bindings, in UTF-16 units. */
  sourceFieldCharsMax: 4096,
  /** Tool names, file types, mime types and the like, in UTF-16 units. */
  nameCharsMax: 256,
  /** One-line summary of a call's arguments, in UTF-16 units. */
  argsDisplayCharsMax: 160,
  /** Documents in one commit. */
  writesPerCommitMax: 10_000,
  /** Ids in one read. */
  idsPerReadMax: 100_000,
  /** Rows of one page of `history` or `find`. */
  pageRowsMax: 1_000,
  /** Keys of one document in the index of the fields that its type declares: its members and elements there. */
  indexKeysMax: 256,
  /** The same of a filter's `where`. */
  whereKeysMax: 32,
  /** Request ids, in UTF-16 units. */
  requestIdCharsMax: 256,
  /** Reasons of `erase`, in UTF-16 units. */
  reasonCharsMax: 1_024,
} as const;

/** How documents of unknown size are read, unit last. */
export const readLimits = {
  /** In the first read, and in a later one over the one before it. */
  firstObjects: 32,
  growthMax: 8,
  /** About this much is read at once, in UTF-16 units; one document may be more. */
  chars: 8 * 1024 * 1024,
} as const;

/** Bounds on what is said, not on what is taken: passing one is no error. */
export const messageLimits = {
  /** Ids in the errors of stores are cut to this, in UTF-16 units. */
  shownIdCharsMax: 80,
} as const;
