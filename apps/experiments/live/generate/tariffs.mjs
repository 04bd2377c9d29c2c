import { edit, put, read, says } from "./files.mjs";
import { insurance, insuranceTasks } from "./tariff-insurance.mjs";
import { classes, tariffRules, zoneCode, zoneManual, zones } from "./tariff-rules.mjs";

const money = `/** So many percent of an amount in cents, rounded half up. */
export function percent(cents, share) {
  return Math.floor((cents * share) / 100 + 0.5);
}

/** The weight of an order in kilograms. Throws a RangeError where there is none. */
export function weightOf(order, name) {
  const { kilograms } = order;
  if (!Number.isFinite(kilograms) || kilograms <= 0) {
    throw new RangeError(\`An order of class \${name} has no weight.\`);
  }
  return kilograms;
}
`;

const index = `${zones.map((zone) => `import * as ${zone} from "./zones/${zone}.mjs";`).join("\n")}

const zones = { ${zones.join(", ")} };

/** What an order costs, in cents. Throws a RangeError for a zone or a class that there is not. */
export function quote(zone, name, order) {
  const table = zones[zone];
  if (table === undefined) {
    throw new RangeError(\`There is no zone \${zone}.\`);
  }
  const rule = table.classes[name];
  if (rule === undefined) {
    throw new RangeError(\`There is no class \${name}.\`);
  }
  return rule(order);
}

export const zoneNames = Object.keys(zones);
export const classNames = Object.keys(zones.amber.classes);
`;

/** The project "tariffs" and its tasks. */
export function tariffs() {
  const rules = tariffRules();
  put("projects/tariffs/src/money.mjs", money);
  put("projects/tariffs/src/index.mjs", index);
  for (const zone of zones) put(`projects/tariffs/src/zones/${zone}.mjs`, zoneCode(zone, rules[zone]));
  const manuals = zones.map((zone) => zoneManual(zone, rules[zone])).join("\n");
  put("projects/tariffs/docs/zones.md", `# What each zone charges\n\nAll amounts are cents.\n\n${manuals}`);
  put("projects/tariffs/docs/insurance.md", insurance.manual);
  mend(rules);
  dearest(rules);
  insuranceTasks();
}

/** Three zones whose code is not what the manual says. */
function mend(rules) {
  const { barrel } = rules.cedar;
  const { tool } = rules.haven;
  const wrong = {
    cedar: { barrel: { night: barrel.night + 3 } },
    fjord: { glass: { round: "floor" } },
    haven: { tool: { heavyFrom: tool.heavyFrom + 1 } },
  };
  put("faults/tariffs.json", {
    "cedar-night": faultOf("cedar", rules, wrong),
    "fjord-rounding": faultOf("fjord", rules, wrong),
    "haven-weight": faultOf("haven", rules, wrong),
  });
  const expected = `export const rules = ${JSON.stringify(rules, undefined, 2)};\n`;
  put("checks/tariffs/rules.mjs", expected);
  const path = (zone) => `src/zones/${zone}.mjs`;
  const fixes = Object.keys(wrong).map((zone) => {
    const [name] = Object.keys(wrong[zone]);
    return edit(path(zone), functionOf(zone, name, rules, wrong), functionOf(zone, name, rules, {}));
  });
  const script = [
    says("I look around.", ["ls", {}], read("docs/zones.md"), read("src/index.mjs"), read("src/money.mjs")),
    ...zones.map((zone) => says(`Now zone ${zone}.`, read(path(zone)))),
    says("Zone cedar charges too much at night.", fixes[0]),
    says("Zone fjord rounds down.", fixes[1]),
    says("", ["grep", { pattern: `>= ${tool.heavyFrom + 1}`, path: "src/zones" }]),
    says("Zone haven begins too late.", fixes[2]),
    says("", [
      "bash",
      {
        command: `node -e 'import("./src/index.mjs").then((m) => console.log(m.zoneNames.length, m.classNames.length))'`,
      },
    ]),
    says("Three numbers were wrong: barrel in cedar, glass in fjord, tool in haven."),
  ];
  put("tasks/tariff-mend/script.json", script);
}

/** The one line that is wrong in a zone, with as many before it as tell it from the same line of other classes. */
function faultOf(zone, rules, wrong) {
  const [right, faulty] = [zoneCode(zone, rules[zone]), zoneCode(zone, rules[zone], wrong[zone])];
  const lines = right.split("\n");
  const at = lines.findIndex((line, index) => line !== faulty.split("\n")[index]);
  const textOf = (code, from) =>
    code
      .split("\n")
      .slice(from, at + 1)
      .join("\n");
  let from = at;
  while (right.split(textOf(right, from)).length > 2) from -= 1;
  return { file: `src/zones/${zone}.mjs`, find: textOf(right, from), replace: textOf(faulty, from) };
}

/** One function as it stands in the zone's file. */
function functionOf(zone, name, rules, wrong) {
  const code = zoneCode(zone, rules[zone], wrong[zone]);
  const start = code.indexOf(`export function ${name}(`);
  return code.slice(start, code.indexOf("\n}\n", start) + 3);
}

/** Which bound is the highest, in the code. */
function dearest(rules) {
  const all = zones.flatMap((zone) => classes.map((name) => ({ zone, name, cap: rules[zone][name].cap })));
  const [first, second] = all.sort((a, b) => b.cap - a.cap);
  const quoteOf = ({ zone, cap }) => `QUOTE src/zones/${zone}.mjs:   return Math.min(cents, ${cap});`;
  put("tasks/tariff-dearest/task.json", {
    project: "tariffs",
    check: { kind: "exact", answer: `${first.zone} ${first.name} ${first.cap}` },
    quotes: { min: 2, of: [...new Set([first, second].map(({ zone }) => `src/zones/${zone}.mjs`))] },
  });
  put("tasks/tariff-dearest/script.json", [
    says("", ["ls", { path: "src/zones" }]),
    ...zones.map((zone) => says(`Zone ${zone}.`, read(`src/zones/${zone}.mjs`))),
    says(`${quoteOf(first)}\n${quoteOf(second)}\nANSWER: ${first.zone} ${first.name} ${first.cap}`),
  ]);
}
