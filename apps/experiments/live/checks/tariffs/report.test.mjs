import assert from "node:assert/strict";
import test from "node:test";
import { quote } from "../src/index.mjs";
import { report } from "../src/report.mjs";

const order = (zone, name, kilograms, more = {}) => ({ zone, name, kilograms, ...more });
const costs = ({ zone, name, ...rest }) => quote(zone, name, rest);

test("no orders give an empty report", () => {
  assert.deepEqual(report([]), { zones: [], refused: [] });
});

test("each zone has its sums, the largest first", () => {
  const orders = [order("amber", "letter", 1), order("haven", "crate", 70, { night: true }), order("haven", "tool", 2)];

  const { zones } = report(orders);

  assert.deepEqual(
    zones.map(({ zone, orders: count, cents }) => [zone, count, cents]),
    [
      ["haven", 2, costs(orders[1]) + costs(orders[2])],
      ["amber", 1, costs(orders[0])],
    ],
  );
});

test("the dearest order is the first of several, by its line", () => {
  const orders = [
    order("nowhere", "tool", 1),
    order("fjord", "glass", 9),
    order("fjord", "glass", 9),
    order("fjord", "letter", 1),
  ];

  const [fjord] = report(orders).zones;

  const dearest = Math.max(...orders.slice(1).map(costs));
  assert.deepEqual(fjord.dearest, {
    line: 1 + orders.findIndex((each, at) => at > 0 && costs(each) === dearest),
    cents: dearest,
  });
});

test("refused orders are listed with the reason and cost nothing", () => {
  const { zones, refused } = report([
    order("amber", "tool", 0),
    order("amber", "ship", 2),
    order("nowhere", "tool", 2),
  ]);

  assert.deepEqual(zones, []);
  assert.deepEqual(
    refused.map(({ line, reason }) => [line, reason]),
    [
      [1, "An order of class tool has no weight."],
      [2, "There is no class ship."],
      [3, "There is no zone nowhere."],
    ],
  );
});

test("an order that is none is nobody's RangeError", () => {
  assert.throws(() => report([null]), TypeError);
});
