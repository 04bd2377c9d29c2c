import { randomFrom } from "./random.mjs";

export const zones = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven"];
export const classes = ["letter", "parcel", "crate", "barrel", "glass", "liquid", "plant", "tool", "cloth", "paper"];

/** What each zone charges for each class, in cents. */
export function tariffRules() {
  const { whole } = randomFrom(20_311);
  const caps = new Set();
  const rules = {};
  for (const zone of zones) {
    rules[zone] = {};
    for (const name of classes) {
      let cap = whole(300, 980) * 10;
      while (caps.has(cap)) cap += 10;
      caps.add(cap);
      rules[zone][name] = {
        ...{ base: whole(20, 90) * 10, free: whole(1, 6), step: whole(11, 95), night: whole(3, 24) },
        ...{ fragile: whole(4, 30) * 5, heavyFrom: whole(20, 60), heavy: whole(15, 90) * 10, cap },
      };
    }
  }
  return rules;
}

/** The code of one zone, ten functions of one kind; `wrong` changes the numbers of a class, or its rounding. */
export function zoneCode(zone, rules, wrong = {}) {
  const functions = classes.map((name) => classCode(zone, name, { ...rules[name], ...wrong[name] }));
  return [
    `import { percent, weightOf } from "../money.mjs";`,
    ``,
    `/** The zone's name on labels. */`,
    `export const zone = "${zone}";`,
    ``,
    functions.join("\n\n"),
    ``,
    `/** By class of goods. */`,
    `export const classes = { ${classes.join(", ")} };`,
    ``,
  ].join("\n");
}

function classCode(zone, name, { base, free, step, night, fragile, heavyFrom, heavy, cap, round = "ceil" }) {
  return `/** What zone ${zone} charges for goods of class ${name}, in cents. */
export function ${name}(order) {
  const kilograms = weightOf(order, "${name}");
  let cents = ${base};
  if (kilograms > ${free}) {
    // Each kilogram that was begun counts.
    cents += Math.${round}(kilograms - ${free}) * ${step};
  }
  if (kilograms >= ${heavyFrom}) {
    // Two people have to carry it.
    cents += ${heavy};
  }
  if (order.fragile) {
    cents += ${fragile};
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, ${night});
  }
  return Math.min(cents, ${cap});
}`;
}

/** The rules as the manual has them. */
export function zoneManual(zone, rules) {
  const lines = classes.map((name) => {
    const { base, free, step, night, fragile, heavyFrom, heavy, cap } = rules[name];
    return [
      `- ${name}: ${base} up to ${free} kg, ${step} more for each further kilogram begun;`,
      `  from ${heavyFrom} kg on ${heavy} more; fragile ${fragile} more; then at night ${night} % on top; never above ${cap}.`,
    ].join("\n");
  });
  return `## Zone ${zone}\n\n${lines.join("\n")}\n`;
}
