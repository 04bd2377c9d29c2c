import { isUtf8 } from "node:buffer";
import { EdnSyntaxError, type ListStart, readEdn, readEdnListStart } from "./edn/read.ts";
import type { EdnOutput } from "./edn/values.ts";
import { XtdbError } from "./errors.ts";
import { parseExactJson } from "./exact-json.ts";
import type { Answer } from "./exchange.ts";
import { clientLimits } from "./limits.ts";
import { badAnswer, serverError } from "./server-errors.ts";

/** `json` is quick and loses types and the milliseconds of instants; `edn` keeps all. */
export type Format = "json" | "edn";

export const mediaTypes: Readonly<Record<Format, string>> = { json: "application/json", edn: "application/edn" };

export interface Expectation {
  /** Without `/_xtdb/`. */
  readonly endpoint: string;
  readonly format: Format;
  readonly status: 200 | 202;
  /** Whether 404 with XTDB's own error body means "there is none". */
  readonly mayBeAbsent?: boolean;
}

/** The value of an answer, `undefined` where there is none; anything else is an XtdbError. */
export function answerValue(answer: Answer, expected: Expectation): EdnOutput | undefined {
  const { status } = answer;
  if (status === expected.status) return parsed(answer, expected);
  if (status === 404 && expected.mayBeAbsent === true && saysAbsent(answer)) return undefined;
  if (status >= 300 && status < 400) throw badAnswer(expected.endpoint, "redirect", { status });
  if (status < 400 || status > 599) throw badAnswer(expected.endpoint, "unexpected status", { status });
  throw serverError(answer, expected.endpoint, errorBody(answer));
}

/** The elements of a list whose answer may be cut: by us at a bound, never by the node. */
export function listStart(answer: Answer, expected: Expectation): ListStart {
  if (answer.status !== expected.status) answerValue(answer, expected);
  const text = textOf(answer, expected);
  const list = reading(answer, expected, () => readEdnListStart(text));
  if (answer.whole && !list.whole) throw badAnswer(expected.endpoint, "cut off", { status: answer.status });
  return list;
}

/** The text of an answer of the wanted type: not empty, well-formed UTF-8. */
function textOf(answer: Answer, { endpoint, format }: Expectation): string {
  const { status } = answer;
  if (!hasType(answer, format)) throw badAnswer(endpoint, "wrong content type", { status });
  if (answer.body.length === 0) throw badAnswer(endpoint, "empty", { status });
  const body = answer.whole ? answer.body : wholeCharacters(answer.body);
  if (!isUtf8(body)) throw badAnswer(endpoint, "no UTF-8", { status });
  return body.toString("utf8");
}

/** Without the first bytes of a character whose others were cut off. */
function wholeCharacters(body: Buffer): Buffer {
  let end = body.length;
  while (end > 0 && end > body.length - 4 && ((body[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return ((body[end - 1] ?? 0) & 0xc0) === 0xc0 ? body.subarray(0, end - 1) : body;
}

function parsed(answer: Answer, expected: Expectation): EdnOutput {
  const text = textOf(answer, expected);
  return reading(answer, expected, () => (expected.format === "json" ? parseExactJson(text) : readEdn(text)));
}

function reading<Value>({ status }: Answer, { endpoint, format }: Expectation, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof EdnSyntaxError || error instanceof SyntaxError) {
      throw badAnswer(endpoint, `unreadable as ${format}`, { status }, error);
    }
    throw error;
  }
}

function saysAbsent(answer: Answer): boolean {
  const body = errorBody(answer);
  return typeof body.error === "string";
}

/** The body of an error, as far as it can be read. Nothing is promised about it. */
function errorBody(answer: Answer): Readonly<Record<string, EdnOutput>> {
  const format = (["json", "edn"] as const).find((candidate) => hasType(answer, candidate));
  if (format === undefined || answer.body.length > clientLimits.errorBytesMax) return {};
  try {
    const value = parsed(answer, { endpoint: "", format, status: 200 });
    const isObject = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isObject ? (value as Readonly<Record<string, EdnOutput>>) : {};
  } catch (error) {
    if (error instanceof XtdbError) return {};
    throw error;
  }
}

function hasType({ contentType }: Answer, format: Format): boolean {
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === mediaTypes[format];
}
