import { randomFrom } from "./random.mjs";

export const days = ["2031-03-04", "2031-03-05", "2031-03-06", "2031-03-07"];
const pumps = Array.from({ length: 9 }, (_, index) => `P-${11 + index}`);
const codes = ["E-204", "E-219", "E-231", "E-417", "E-438", "E-502", "E-517"];
const linesPerDay = 260;

/** Four days of nine pumps: their lines, the first leak after a maintenance, and the sums. */
export function plantStory() {
  const { whole, pick } = randomFrom(4_071);
  const state = { maintained: new Map(), raised: new Map(), leak: undefined, sums: new Map() };
  for (const pump of pumps) state.sums.set(pump, { pump, alarms: {}, maintenances: 0 });
  const lines = days.map((day) => {
    let second = whole(0, 200);
    return Array.from({ length: linesPerDay }, () => {
      second += whole(40, 330);
      const time = new Date(second * 1000).toISOString().slice(11, 19);
      const pump = pick(pumps);
      return `${time} ${pump} ${event({ day, time, pump }, state, { whole, pick })}`;
    });
  });
  return { lines, leak: state.leak, summary: [...state.sums.values()] };
}

export const dayLog = ({ lines }, day) => `${lines[day].join("\n")}\n`;

function event(place, state, { whole, pick }) {
  const { pump } = place;
  const raised = state.raised.get(pump);
  if (raised !== undefined && whole(1, 3) === 1) {
    state.raised.delete(pump);
    return `alarm ${raised} cleared by shift ${whole(1, 3)}`;
  }
  const dice = whole(1, 100);
  if (dice <= 4) return maintenance(place, state);
  if (dice <= 16 && raised === undefined) return alarm(place, state, pick(codes));
  const kind = pick(["flow", "pressure", "temperature", "current"]);
  return `${kind} ${whole(100, 990) / 10} of ${whole(995, 1400) / 10}, valve ${whole(0, 100)} %`;
}

function maintenance({ day, time, pump }, { maintained, sums }) {
  const known = maintained.get(pump);
  if (known?.over === false) {
    maintained.set(pump, { over: true, endDay: day, endLine: `${time} ${pump} maintenance end` });
    return "maintenance end";
  }
  maintained.set(pump, { over: false });
  sums.get(pump).maintenances += 1;
  return "maintenance begin";
}

function alarm({ day, time, pump }, state, code) {
  const known = state.maintained.get(pump);
  state.raised.set(pump, code);
  const words = `alarm ${code} raised at ${time.slice(0, 5)}`;
  if (known?.over !== false) {
    const { alarms } = state.sums.get(pump);
    alarms[code] = (alarms[code] ?? 0) + 1;
  }
  if (code === "E-417" && known?.over === true && state.leak === undefined) {
    state.leak = { ...known, day, time, pump, line: `${time} ${pump} ${words}` };
  }
  return words;
}
