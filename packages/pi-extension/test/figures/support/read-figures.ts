/** The figures as a person reads them on the screen. */
export interface ReadFigures {
  readonly contextTokens: number;
  readonly plainTokens: number;
  readonly requests: number;
  readonly billedPercent: number;
  readonly dollars: number;
  readonly plainDollars: number;
}

/** What `/cm` says. @throws Error where it says something else */
export function readFigures(report: string): ReadFigures {
  const context = /^context +(?:about )?([\d.]+[kM]?) tokens; Pi alone would have about ([\d.]+[kM]?): /m.exec(report);
  const input = /^input +about (\d+)% of what Pi alone would be billed, over ([\d,]+) requests?$/m.exec(report);
  const cost = /^cost +\$([\d.]+) with answers; Pi alone about \$([\d.]+): /m.exec(report);
  if (context === null || input === null || cost === null) throw new Error(`These are no figures:\n${report}`);
  return {
    contextTokens: countOf(context[1]),
    plainTokens: countOf(context[2]),
    billedPercent: Number(input[1]),
    requests: Number(input[2]?.replaceAll(",", "")),
    dollars: Number(cost[1]),
    plainDollars: Number(cost[2]),
  };
}

function countOf(text = ""): number {
  const factor = text.endsWith("M") ? 1_000_000 : text.endsWith("k") ? 1_000 : 1;
  return Number.parseFloat(text) * factor;
}
