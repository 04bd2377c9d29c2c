/** What a call of the tool is answered with. */
export interface ToolAnswer {
  readonly text: string;
  /** Nothing of what was asked for could be done. */
  readonly failed: boolean;
  /** Ids of the objects whose whole text the answer has: `IncomingResult.shows`. */
  readonly shows: readonly string[];
}
