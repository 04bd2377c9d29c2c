import { z } from "zod";

/** Tokens as a step can have them: whole, and none where a file says less than none, or more than a number can tell. */
export const tokenCount = z
  .number()
  .transform((tokens) => (tokens > 0 && Number.isSafeInteger(Math.round(tokens)) ? Math.round(tokens) : 0));
