import assert from "node:assert/strict";
import test from "node:test";
import { classNames, quote, zoneNames } from "../src/index.mjs";
import { rules } from "./rules.mjs";

/** Said once more, another way than in the code under test. */
function price({ base, free, step, night, fragile, heavyFrom, heavy, cap }, order) {
  let sum = base + step * Math.max(0, Math.ceil(order.kilograms - free));
  sum += (order.kilograms >= heavyFrom ? heavy : 0) + (order.fragile ? fragile : 0);
  if (order.night) sum += Math.round((sum * night) / 100);
  return Math.min(sum, cap);
}

const weights = [0.4, 1, 1.5, 2.2, 3.01, 4.5, 5.7, 6.9, 8.5, 19.5, 20, 24, 31, 35.5, 41, 47, 52, 58, 60, 61, 90, 400];
const nights = [{}, { night: true }, { fragile: true }, { night: true, fragile: true }];

test("there are eight zones with ten classes each", () => {
  assert.deepEqual(zoneNames, Object.keys(rules));
  assert.equal(classNames.length, 10);
});

for (const zone of Object.keys(rules)) {
  test(`zone ${zone} charges what the manual says`, () => {
    for (const [name, rule] of Object.entries(rules[zone])) {
      const edges = [rule.heavyFrom, rule.heavyFrom - 0.5, rule.free, rule.free + 0.5];
      for (const kilograms of [...weights, ...edges]) {
        for (const more of nights) {
          const order = { kilograms, ...more };
          assert.equal(quote(zone, name, order), price(rule, order), `${name} ${JSON.stringify(order)}`);
        }
      }
    }
  });
}
