/** What a finished subagent left behind. */
export interface Letter {
  readonly subagentName: string | null;
  readonly outcome: "result" | "failed";
  readonly text: string | null;
}

/** The input of the run that takes the letters: one, or all of them under their names, and what the user says to it. */
export function mailText(letters: readonly Letter[], input: string | undefined): string {
  const [only] = letters;
  const said =
    letters.length === 1 && only !== undefined
      ? `${headingOf(only)}\n\n${textOf(only)}`
      : [
          `${letters.length} subagents have finished.`,
          ...letters.map((letter) => `${headingOf(letter)}\n\n${textOf(letter)}`),
        ].join("\n\n");
  return input === undefined || input.trim() === "" ? said : `${said}\n\n${input}`;
}

const headingOf = ({ subagentName, outcome }: Letter): string =>
  `The subagent ${subagentName ?? "without a name"} ${outcome === "result" ? "has finished:" : "has failed:"}`;

const textOf = ({ text, outcome }: Letter): string =>
  text ?? (outcome === "result" ? "It left no text." : "It said no reason.");
