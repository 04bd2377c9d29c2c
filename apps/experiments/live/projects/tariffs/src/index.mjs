import * as amber from "./zones/amber.mjs";
import * as birch from "./zones/birch.mjs";
import * as cedar from "./zones/cedar.mjs";
import * as delta from "./zones/delta.mjs";
import * as ember from "./zones/ember.mjs";
import * as fjord from "./zones/fjord.mjs";
import * as grove from "./zones/grove.mjs";
import * as haven from "./zones/haven.mjs";

const zones = { amber, birch, cedar, delta, ember, fjord, grove, haven };

/** What an order costs, in cents. Throws a RangeError for a zone or a class that there is not. */
export function quote(zone, name, order) {
  const table = zones[zone];
  if (table === undefined) {
    throw new RangeError(`There is no zone ${zone}.`);
  }
  const rule = table.classes[name];
  if (rule === undefined) {
    throw new RangeError(`There is no class ${name}.`);
  }
  return rule(order);
}

export const zoneNames = Object.keys(zones);
export const classNames = Object.keys(zones.amber.classes);
