import assert from "node:assert/strict";
import test from "node:test";
import { compute, FormulaError, parse, print } from "../src/index.mjs";

const again = (text) => print(parse(text));

test("a remainder has the sign of the right side", () => {
  assert.equal(compute("7 % 3"), 1);
  assert.equal(compute("(-7) % 3"), 2);
  assert.equal(compute("-7 % 3"), 2);
  assert.equal(compute("7 % -3"), -2);
  assert.equal(compute("2 * 7 % 4"), 2);
});

test("powers bind from right to left and before a prefix", () => {
  assert.equal(compute("2 ^ 3 ^ 2"), 512);
  assert.equal(compute("(2 ^ 3) ^ 2"), 64);
  assert.equal(compute("-2 ^ 2"), -4);
  assert.equal(compute("2 ^ -1"), 0.5);
  assert.equal(compute("2 * 3 ^ 2"), 18);
  assert.equal(compute("2 ^ -1 * 4"), 2);
});

test("errors are at the operator", () => {
  for (const text of ["10 + 1 % 0", "1000 - 0 ^ -1", "(0 - 8) ^ 0.5"]) {
    assert.throws(
      () => compute(text),
      (error) => error instanceof FormulaError && error.column === text.search(/[%^]/) + 1,
      text,
    );
  }
});

test("powers print with the parentheses that they need", () => {
  for (const text of [
    "2 ^ 3 ^ 2",
    "(2 ^ 3) ^ 2",
    "2 ^ -1",
    "(-2) ^ 2",
    "-2 ^ 2",
    "(a + b) ^ c",
    "a ^ (b + c)",
    "a ^ -b ^ c",
  ]) {
    assert.equal(again(text), text);
  }
});

test("remainders print like products", () => {
  for (const text of ["a % b * c", "a % (b * c)", "a - b % c", "-a % b", "-(a % b)"]) assert.equal(again(text), text);
});

test("everything else is as it was", () => {
  assert.equal(compute("1 + 2 * 3 - 4 / 2"), 5);
  assert.equal(again("a - (b - c) * -d"), "a - (b - c) * -d");
  assert.throws(() => compute("1 ^"), FormulaError);
});
