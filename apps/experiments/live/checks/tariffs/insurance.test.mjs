import assert from "node:assert/strict";
import test from "node:test";
import { classNames, quote, zoneNames } from "../src/index.mjs";
import { premiums } from "./premiums.mjs";

const plain = (zone, name, order) => quote(zone, name, order);
const extra = (zone, name, order, value) => quote(zone, name, { ...order, value }) - plain(zone, name, order);

test("a value above the free one adds the premium in every zone and class", () => {
  for (const zone of zoneNames) {
    const { perMille, least, free } = premiums[zone];
    for (const value of [free + 1, free + 333, 54_321, 1_000_001]) {
      const wanted = Math.max(least, Math.ceil((Math.max(value, free + 1) * perMille) / 1000));
      if (value <= free) continue;
      for (const name of classNames)
        assert.equal(extra(zone, name, { kilograms: 3 }, value), wanted, `${zone} ${name}`);
    }
  }
});

test("a value up to the free one adds nothing", () => {
  for (const zone of zoneNames) {
    for (const value of [0, 1, premiums[zone].free]) assert.equal(extra(zone, "crate", { kilograms: 3 }, value), 0);
  }
});

test("the highest price of a class does not bound the premium", () => {
  for (const zone of zoneNames) {
    const { perMille } = premiums[zone];
    assert.equal(extra(zone, "glass", { kilograms: 9_000, night: true }, 2_000_000), perMille * 2_000);
  }
});

test("a value that is no number from 0 on is refused", () => {
  for (const value of [-1, Number.NaN, "much", Number.POSITIVE_INFINITY]) {
    assert.throws(() => quote("amber", "tool", { kilograms: 1, value }), RangeError);
  }
});

test("what was refused before still is", () => {
  assert.throws(() => quote("nowhere", "tool", { kilograms: 1, value: 5 }), RangeError);
  assert.throws(() => quote("amber", "ship", { kilograms: 1, value: 5 }), RangeError);
  assert.throws(() => quote("amber", "tool", { value: 5 }), RangeError);
});
