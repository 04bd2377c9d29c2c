// @module-tag long
// Verifies: T15, a broken answer is a typed error and never a partial result.
import { expect, it } from "vitest";
import { answerValue, type Format, listStart } from "../src/answers.ts";
import {
  committedSchema,
  entityVersionSchema,
  envelope,
  statusSchema,
  submittedSchema,
  txSchema,
} from "../src/envelopes.ts";
import type { Answer } from "../src/exchange.ts";
import { isXtdbError } from "../src/index.ts";
import { createRandom, manyRuns, type Random, repeated } from "./support/random.ts";
import { goodAnswers } from "./support/scripted-server.ts";

const schemas = {
  status: statusSchema,
  "submit-tx": submittedSchema,
  "tx-committed": committedSchema,
  "entity-tx": entityVersionSchema,
  "await-tx": txSchema,
} as const;

const errorBodies = [
  '{"type":"exception","class":"java.util.concurrent.TimeoutException"}',
  '{"xtdb.error/error-type":"node-out-of-sync","xtdb.error/message":"m"}',
  '{"errorType":"illegal-argument","errorKey":"invalid-tx-op","op":["canary"]}',
  '{"error":"Malformed \\"application/edn\\" request."}',
  "<h1>Bad Message 414</h1>",
  "",
];

const endpoints = Object.entries(goodAnswers);

function goodAnswer(random: Random): { endpoint: string; answer: Answer; format: Format; status: 200 | 202 } {
  const [endpoint, [good, contentType, text]] = random.pick(endpoints);
  const fails = random.chance(0.2);
  const body = Buffer.from(fails ? random.pick(errorBodies) : text);
  const status = fails ? random.pick([400, 401, 403, 404, 405, 413, 414, 500, 502, 503]) : good;
  const format = contentType.endsWith("json") ? "json" : "edn";
  return { endpoint, answer: { status, contentType, body, whole: true }, format, status: good === 202 ? 202 : 200 };
}

function read({ endpoint, answer, format, status }: ReturnType<typeof goodAnswer>): unknown {
  const expected = { endpoint, format, status, mayBeAbsent: endpoint.startsWith("entity") };
  if (endpoint === "tx-log") return listStart(answer, expected);
  const value = answerValue(answer, expected);
  const schema = schemas[endpoint as keyof typeof schemas];
  return schema === undefined || value === undefined ? value : envelope(schema, value, endpoint);
}

const title = "each of many mutated answers is read or is a typed error";
it(title, () => {
  const outcomes = new Map<string, number>();

  repeated(title, manyRuns, (seed, run) => {
    const random = createRandom(seed + run);
    const good = goodAnswer(random);
    const outcome = outcomeOf({ ...good, answer: mutated(good.answer, random) });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  });

  // Mutations that hit a value, not the form, leave an answer that looks like a good one.
  expect([...outcomes.keys()].filter((outcome) => !/^(read|xtdb\/)/.test(outcome))).toEqual([]);
  expect(outcomes.get("xtdb/bad-answer")).toBeGreaterThan(manyRuns / 10);
  expect(outcomes.get("read")).toBeGreaterThan(manyRuns / 100);
});

it("no answer that is cut off is taken for one", () => {
  const taken: string[] = [];

  for (const [endpoint, [status, contentType, text]] of endpoints) {
    const format = contentType.endsWith("json") ? "json" : "edn";
    for (let end = 0; end < Buffer.byteLength(text); end += 1) {
      const answer = { status, contentType, body: Buffer.from(text).subarray(0, end), whole: true };
      const outcome = outcomeOf({ endpoint, answer, format, status: status === 202 ? 202 : 200 });
      if (outcome !== "xtdb/bad-answer") taken.push(`${endpoint} at ${end}: ${outcome}`);
    }
  }

  expect(taken).toEqual([]);
});

function outcomeOf(answer: ReturnType<typeof goodAnswer>): string {
  try {
    read(answer);
    return "read";
  } catch (error) {
    if (!isXtdbError(error)) throw error;
    if (/canary|Malformed|Message 414/.test(`${error.message} ${JSON.stringify(error)}`)) throw new Error("content");
    return error.code;
  }
}

const junk = [
  "\0",
  "\ud800",
  "[[[[",
  "}}}}",
  '"',
  "\\",
  "#inst",
  "1e999",
  "9".repeat(40),
  "\xff",
  "{:a 1}",
  "nil",
  "null",
];
const types = [
  "",
  "text/html",
  "application/json",
  "application/edn",
  "application/transit+json",
  "application/json;x",
];

function mutated(answer: Answer, random: Random): Answer {
  const times = 1 + random.below(3);
  let changed = answer;
  for (let time = 0; time < times; time += 1) changed = mutatedOnce(changed, random);
  return changed;
}

function mutatedOnce(answer: Answer, random: Random): Answer {
  const { body } = answer;
  const at = random.below(body.length + 1);
  switch (random.below(8)) {
    case 0:
      return { ...answer, body: body.subarray(0, at) };
    case 1: {
      const flipped = Buffer.from(body);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return { ...answer, body: flipped };
    }
    case 2:
      return { ...answer, body: Buffer.concat([body.subarray(0, at), body.subarray(at + random.below(9))]) };
    case 3:
      return {
        ...answer,
        body: Buffer.concat([body.subarray(0, at), Buffer.from(random.pick(junk)), body.subarray(at)]),
      };
    case 4:
      return { ...answer, body: Buffer.concat([body, body.subarray(at)]) };
    case 5:
      return {
        ...answer,
        status: random.pick([100, 199, 200, 201, 202, 204, 206, 302, 400, 404, 418, 500, 599, 600, 0]),
      };
    case 6:
      return { ...answer, contentType: random.pick(types) };
    default:
      return { ...answer, body: Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256))) };
  }
}
