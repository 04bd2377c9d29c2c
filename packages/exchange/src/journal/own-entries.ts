/** Custom entries of ours in a file: they never reach the model. */
export const ownTypes = {
  /** Names the leaf where it is not the last line. */
  leaf: "cm-leaf",
  /** The instructions that hold from here on: a file of Pi has no entry for them. */
  systemPrompt: "cm-system-prompt",
} as const;
