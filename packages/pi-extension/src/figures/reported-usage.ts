import type { PiAssistant } from "../pi/pi-types.ts";
import type { BilledTokens, Dollars } from "./bill.ts";

/** What a provider said of a request, and what Pi makes of it. All zero where it said nothing. */
export type ReportedUsage = BilledTokens & { readonly dollars: Dollars };

type Usage = PiAssistant["usage"];

/** Session files come from outside: what is no number counts nothing. */
export function soundUsage({ input, output, cacheRead, cacheWrite, cost }: Partial<Usage> = {}): ReportedUsage {
  return {
    ...{ input: sound(input), output: sound(output), cacheRead: sound(cacheRead), cacheWrite: sound(cacheWrite) },
    dollars: {
      input: sound(cost?.input) + sound(cost?.cacheRead) + sound(cost?.cacheWrite),
      all: sound(cost?.total),
    },
  };
}

const sound = (value: number | undefined): number => (Number.isFinite(value) && Number(value) > 0 ? Number(value) : 0);

type InputTokens = Pick<BilledTokens, "input" | "cacheRead" | "cacheWrite">;
export const inputOf = ({ input, cacheRead, cacheWrite }: InputTokens): number => input + cacheRead + cacheWrite;
