import assert from "node:assert/strict";
import test from "node:test";
import { compute, FormulaError, parse, print } from "../src/index.mjs";

const again = (text) => print(parse(text));

test("what is right of an operator keeps its parentheses", () => {
  for (const text of ["a - (b - c)", "a / (b * c)", "a - (b + c)", "a / (b / c)", "a * (b * c)", "a or (b or c)"]) {
    assert.equal(again(text), text);
  }
});

test("a choice that decides a choice keeps its parentheses", () => {
  assert.equal(again("(a ? b : c) ? d : e"), "(a ? b : c) ? d : e");
  assert.equal(again("a ? b ? c : d : e"), "a ? b ? c : d : e");
  assert.equal(again("a ? b : (c ? d : e)"), "a ? b : c ? d : e");
});

test("parentheses that are not needed are left out", () => {
  assert.equal(again("((a - b)) - c"), "a - b - c");
  assert.equal(again("(a * b) + (c / d)"), "a * b + c / d");
  assert.equal(again("min((a), (b + c))"), "min(a, b + c)");
  assert.equal(again("(a < b) == (c < d)"), "(a < b) == (c < d)");
  assert.equal(again("not (a and b) or -(c + d)"), "not (a and b) or -(c + d)");
});

test("columns are counted from 1 in every line", () => {
  const placeOf = (text) => {
    try {
      compute(text);
    } catch (error) {
      assert.ok(error instanceof FormulaError);
      return [error.line, error.column];
    }
    return undefined;
  };
  assert.deepEqual(placeOf("1 +\n$"), [2, 1]);
  assert.deepEqual(placeOf("1 + # one\n  2 +\n   x"), [3, 4]);
  assert.deepEqual(placeOf("x"), [1, 1]);
  assert.deepEqual(placeOf("\n\n1 / 0"), [3, 3]);
});

test("values are what they were", () => {
  assert.equal(compute("10 - (3 - 2) - 1"), 8);
  assert.equal(compute("a > 2 ? sum(1, a) : 0", { a: 4 }), 5);
});
