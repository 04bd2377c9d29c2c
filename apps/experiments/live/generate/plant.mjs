import { put, read, says } from "./files.mjs";
import { dayLog, days, plantStory } from "./plant-logs.mjs";

const codes = [
  ["E-204", "inlet filter clogged"],
  ["E-219", "motor current too high"],
  ["E-231", "bearing too warm"],
  ["E-417", "seal leak"],
  ["E-438", "pressure above its limit"],
  ["E-502", "no signal from the flow meter"],
  ["E-517", "controller restarted"],
];

const manual = `# Alarms

A line of a log is: time, pump, kind, then what there is to say. An alarm is raised with its code, and cleared later.
Alarms that were raised while a pump is under maintenance are tests and do not count: maintenance begins with
\`maintenance begin\` and is over with \`maintenance end\` of the same pump, which may be on a later day.

| code | what it means | who is called |
| --- | --- | --- |
${codes.map(([code, what], index) => `| ${code} | ${what} | ${["shift", "workshop", "shift", "workshop"][index % 4]} |`).join("\n")}
`;

/** The project "plant" and its tasks. */
export function plant() {
  const story = plantStory();
  for (const [index, day] of days.entries()) put(`projects/plant/logs/${day}.log`, dayLog(story, index));
  put("projects/plant/docs/alarms.md", manual);
  const { leak } = story;
  put("tasks/plant-leak/task.json", {
    project: "plant",
    check: { kind: "exact", answer: `${leak.pump} ${leak.day} ${leak.time}` },
    quotes: { min: 3, of: [`logs/${leak.day}.log`, "docs/alarms.md"] },
  });
  const quotes = [
    "QUOTE docs/alarms.md: | E-417 | seal leak | workshop |",
    `QUOTE logs/${leak.endDay}.log: ${leak.endLine}`,
    `QUOTE logs/${leak.day}.log: ${leak.line}`,
  ];
  put("tasks/plant-leak/script.json", [
    says("", read("docs/alarms.md"), ["ls", { path: "logs" }]),
    ...days.map((day) => says(`The log of ${day}.`, read(`logs/${day}.log`))),
    says("", ["grep", { pattern: "E-417 raised|maintenance", path: "logs" }]),
    says(`${quotes.join("\n")}\nANSWER: ${leak.pump} ${leak.day} ${leak.time}`),
  ]);
  put(
    "tasks/plant-summary/check/expected.mjs",
    `export const expected = ${JSON.stringify(story.summary, undefined, 2)};\n`,
  );
  put("tasks/plant-summary/script.json", [
    says("", read("docs/alarms.md"), read("docs/summary.md")),
    ...days.map((day) => says("", read(`logs/${day}.log`))),
    says("", ["write", { path: "summary.mjs", content: summaryCode }]),
    says("", ["bash", { command: `node -e 'import("./summary.mjs").then((m) => console.log(m.summary("logs")))'` }]),
    says("summary.mjs counts the alarms of each pump."),
  ]);
}

const summaryCode = `import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Alarms of each pump that count, by code, and how often it was under maintenance. */
export function summary(folder) {
  const pumps = new Map();
  const inMaintenance = new Set();
  for (const file of readdirSync(folder).sort()) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\\n")) {
      const [, pump, kind, word, event] = line.split(" ");
      if (pump === undefined) continue;
      const entry = pumps.get(pump) ?? { pump, alarms: {}, maintenances: 0 };
      pumps.set(pump, entry);
      if (kind === "maintenance" && word === "begin") {
        inMaintenance.add(pump);
        entry.maintenances += 1;
      }
      if (kind === "maintenance" && word === "end") inMaintenance.delete(pump);
      if (kind === "alarm" && event === "raised" && !inMaintenance.has(pump)) {
        entry.alarms[word] = (entry.alarms[word] ?? 0) + 1;
      }
    }
  }
  return [...pumps.values()].sort((a, b) => (a.pump < b.pump ? -1 : 1));
}
`;
