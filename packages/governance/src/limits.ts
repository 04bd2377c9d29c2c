/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** Capabilities of one bundle. */
  capabilitiesMax: 100,
  /** Rules of one list of a capability: paths, commands, domains or tools. */
  rulesPerListMax: 10_000,
  /** Approval rules of one bundle. */
  approvalRulesMax: 1_000,
  /** Feature flags of one session. */
  featureFlagsMax: 1_000,
  /** Paths, in rules and in actions, in UTF-16 units. */
  pathCharsMax: 4_096,
  /** URLs of actions, in UTF-16 units. */
  urlCharsMax: 16_384,
  /** The text of a shell command that is held against rules, in UTF-16 units. */
  commandCharsMax: 65_536,
  /** Commands in one such text. */
  commandsPerTextMax: 1_000,
  /** Command substitutions and subshells within each other, in levels. */
  commandDepthMax: 16,
  /** Names of capabilities, models and tools, in UTF-16 units. */
  nameCharsMax: 256,
  /** Titles and descriptions of approval rules, in UTF-16 units. */
  descriptionCharsMax: 4_096,
  /** How long an approval waits for its answer, in milliseconds. */
  approvalWaitMs: 300_000,
  /** Approvals that wait at a time in one gate. */
  approvalsWaitingMax: 1_000,
  /** Steps of one task. */
  taskStepsMax: 200,
  /** Text in one field of an event, in UTF-16 units. */
  eventTextCharsMax: 1_048_576,
} as const;
