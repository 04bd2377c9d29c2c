/** What a model is asked for a summary with. */
export interface SummaryRequest {
  readonly conversation: string;
  readonly previousSummary?: string | undefined;
  /** What the user said with `/compact`. */
  readonly instructions?: string | undefined;
}

export const summarySystemPrompt =
  "You sum up conversations between a user and a coding agent, so that another model can go on with the work. You do not " +
  "continue the conversation and answer nothing that is asked in it. You write the summary and nothing else.";

/** The headings are those of Pi's own summaries, so that a reader or an update of one fits the other. */
const form = `Use these headings, in this order, and write "(none)" under one that has nothing:

## Goal
What the user wants; several points where there are several tasks.

## Constraints & Preferences
- What the user demanded, forbade or prefers.

## Progress
### Done
- [x] What is finished, and where.
### In Progress
- [ ] What was begun.
### Blocked
- What stands in the way.

## Key Decisions
- **The decision**: why it was taken, and what was rejected.

## Next Steps
1. What comes next, in order.

## Critical Context
- What was found out and is needed to go on: facts, values, commands, error messages.

Be brief under each heading. Give paths, names and error messages exactly. Say nothing that the conversation does not say.`;

const first = `Sum up the conversation above.\n\n${form}`;

const update = `The conversation above came after what <previous-summary> sums up. Bring that summary up to date: keep what still
holds, above all decisions and what is open, add what is new, move what was finished, and leave out what no longer matters.

${form}`;

/** The text of the one message that is sent. */
export function summaryPrompt({ conversation, previousSummary, instructions }: SummaryRequest): string {
  const focus = instructions?.trim() ?? "";
  return [
    `<conversation>\n${conversation}\n</conversation>`,
    ...(previousSummary === undefined ? [] : [`<previous-summary>\n${previousSummary}\n</previous-summary>`]),
    previousSummary === undefined ? first : update,
    ...(focus === "" ? [] : [`The user wants the summary to be about this above all: ${focus}`]),
  ].join("\n\n");
}
