import { wholeTokens } from "@cm/object-model";
import { z } from "zod";

/** Tokens that a file tells. */
export const tokenCount = z.number().transform(wholeTokens);
