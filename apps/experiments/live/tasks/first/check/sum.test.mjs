import test from "node:test";
import assert from "node:assert/strict";
import { sum } from "../sum.mjs";
test("sums", () => assert.equal(sum(1, 2), 3));
test("sums zero", () => assert.equal(sum(0, 2), 2));
