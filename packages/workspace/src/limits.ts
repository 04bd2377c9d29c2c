/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** Prompts and messages, in UTF-16 units. */
  messageCharsMax: 4_194_304,
  /** Text of one artifact, in UTF-16 units; binary ones come as base64. */
  artifactCharsMax: 4_194_304,
  /** Ids of messages, in UTF-16 units. */
  messageIdCharsMax: 200,
  /** Messages of one session's history. */
  messagesPerSessionMax: 200_000,
  /** Messages of one part of a history: a part that is full is never written again. */
  messagesPerPartMax: 1_000,
  /** Names of artifacts, tenants and users, in UTF-16 units. */
  nameCharsMax: 256,
  /** Local paths, in UTF-16 units. */
  pathCharsMax: 4_096,
  /** How often a change is tried again that met another client's. */
  attemptsMax: 20,
  /** Objects that one commit of a deletion or of a history, or one erasure takes. */
  batchObjectsMax: 500,
  /** Texts of messages that one commit takes, in UTF-16 units; one message is taken whatever it has. */
  batchCharsMax: 8_388_608,
  /** Workspaces that one purge takes. */
  purgedWorkspacesMax: 1_000,
  /** Events that wait to be written; beyond, the oldest are given up and counted. */
  waitingEventsMax: 10_000,
  /** Days without activity after which a workspace may be purged. */
  inactiveDays: 90,
  /** Days that events and approvals are kept, where nothing else is said. */
  auditDays: 365,
} as const;
