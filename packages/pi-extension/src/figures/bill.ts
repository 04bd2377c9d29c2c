import type { Rates } from "./rates.ts";

/** Tokens of one request, as providers bill them. */
export interface BilledTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** What one of the two Pis was billed. */
export interface Side {
  /** Input, in tokens of plain input. */
  readonly tokens: number;
  /** Input in dollars, of requests whose prices are known. */
  readonly input: number;
  /** Input and output in dollars, of the same requests. */
  readonly all: number;
}

export interface Bill {
  /** This session. */
  readonly ours: Side;
  /** The same work in a Pi without us. */
  readonly plain: Side;
  /** Requests whose prices are not known. */
  readonly unpriced: number;
}

const none: Side = { tokens: 0, input: 0, all: 0 };
export const emptyBill: Bill = { ours: none, plain: none, unpriced: 0 };

/** @param dollars what Pi itself says that it costs; default: by the rates */
export function charged(side: Side, billed: BilledTokens, rates: Rates, dollars = costOf(billed, rates)): Side {
  return {
    tokens: side.tokens + costOf(billed, rates).input / rates.input,
    input: side.input + (rates.inMoney ? dollars.input : 0),
    all: side.all + (rates.inMoney ? dollars.all : 0),
  };
}

export interface Dollars {
  readonly input: number;
  readonly all: number;
}

function costOf({ input, cacheRead, cacheWrite, output }: BilledTokens, rates: Rates): Dollars {
  const cost = input * rates.input + cacheRead * rates.cacheRead + cacheWrite * rates.cacheWrite;
  return { input: cost, all: cost + output * rates.output };
}
