import { edit, put, read, says } from "./files.mjs";
import { randomFrom } from "./random.mjs";
import { zones } from "./tariff-rules.mjs";

const { whole } = randomFrom(77);
const premiums = Object.fromEntries(
  zones.map((zone) => [zone, { perMille: whole(2, 19), least: whole(5, 40) * 5, free: whole(1, 9) * 1000 }]),
);

const rows = zones.map((zone) => {
  const { perMille, least, free } = premiums[zone];
  return `| ${zone} | ${perMille} | ${least} | ${free} |`;
});

export const insurance = {
  manual: `# Insurance

An order may have a \`value\`, in cents. It is insured where the value is above the zone's free value. The premium is so
many per mille of the whole value, rounded up to a cent, and at least the zone's least premium. It is added to what the
order costs otherwise, after the highest price of the class was applied: that bound does not count for insurance.

A \`value\` that is no number from 0 on is a RangeError.

| zone | per mille | least premium | free value |
| --- | --- | --- | --- |
${rows.join("\n")}
`,
};

const source = `const premiums = ${JSON.stringify(premiums, undefined, 2)};

/** The premium of an insured order, 0 without a value. */
export function premium(zone, { value = 0 }) {
  if (!Number.isFinite(value) || value < 0) {
    throw new RangeError("The value of an order is no number from 0 on.");
  }
  const { perMille, least, free } = premiums[zone];
  return value > free ? Math.max(least, Math.ceil((value * perMille) / 1000)) : 0;
}
`;

const report = `/** Sums of many orders, as docs/report.md says. */
import { quote } from "./index.mjs";

export function report(orders) {
  const byZone = new Map();
  const refused = [];
  for (const [line, { zone, name, ...order }] of orders.entries()) {
    try {
      const cents = quote(zone, name, order);
      const sum = byZone.get(zone) ?? { zone, orders: 0, cents: 0, dearest: undefined };
      sum.orders += 1;
      sum.cents += cents;
      if (sum.dearest === undefined || cents > sum.dearest.cents) sum.dearest = { line: line + 1, cents };
      byZone.set(zone, sum);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refused.push({ line: line + 1, reason: error.message });
    }
  }
  const zones = [...byZone.values()].sort((a, b) => b.cents - a.cents || (a.zone < b.zone ? -1 : 1));
  return { zones, refused };
}
`;

/** Tasks whose solution the scripted model writes: insurance, and a report. */
export function insuranceTasks() {
  const expected = `export const premiums = ${JSON.stringify(premiums, undefined, 2)};\n`;
  put("checks/tariffs/premiums.mjs", expected);
  const look = zones.slice(0, 4).map((zone) => says(`Zone ${zone} first.`, read(`src/zones/${zone}.mjs`)));
  const insure = [
    says("", read("docs/insurance.md"), read("src/index.mjs"), read("src/money.mjs")),
    ...look,
    says("The premium gets a file of its own.", ["write", { path: "src/insurance.mjs", content: source }]),
    says(
      "",
      edit(
        "src/index.mjs",
        "import * as amber from",
        'import { premium } from "./insurance.mjs";\nimport * as amber from',
      ),
    ),
    says("", edit("src/index.mjs", "  return rule(order);", "  return rule(order) + premium(zone, order);")),
    says("", read("src/index.mjs")),
    says("Orders with a value are insured now."),
  ];
  const reporting = [
    says("", read("docs/report.md"), read("src/index.mjs")),
    ...zones.slice(4).map((zone) => says("", read(`src/zones/${zone}.mjs`))),
    says("", ["write", { path: "src/report.mjs", content: report }]),
    says("", ["bash", { command: `node -e 'import("./src/report.mjs").then((m) => console.log(m.report([])))'` }]),
    says("The report is in src/report.mjs."),
  ];
  put("tasks/tariff-insure/script.json", insure);
  put("tasks/tariff-report/script.json", reporting);
}
