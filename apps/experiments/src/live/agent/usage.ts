import type { Usage } from "@cm/context-log";

export const noTokens: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** All input of a request, wherever it came from. */
export const inputOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

export const added = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
});
