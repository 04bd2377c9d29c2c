import pg from "pg";
import { toOrdered } from "./database-text.ts";

const bytea = 17;
const numbers = new Set([20, 21, 23]);
const bytesOf: (text: string) => Buffer = pg.types.getTypeParser(bytea, "text");

/** How the client reads the columns of an answer: a bigint as a number, which all of ours fit, a text as ordered text. */
export const columnTypes = {
  getTypeParser: (type: number): ((text: string) => unknown) => {
    if (type === bytea) return bytesOf;
    return numbers.has(type) ? Number : toOrdered;
  },
};
