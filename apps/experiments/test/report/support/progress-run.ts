// A program that shows progress: `terminal` pretends that stderr is one, `fail` lets the second task throw a
// string, `interrupt` lets it press Ctrl-C.
import { withProgress } from "../../../src/progress/progress.ts";

const [terminal, fail, interrupt] = ["terminal", "fail", "interrupt"].map((word) => process.argv.includes(word));
if (terminal) process.stderr.isTTY = true;

const task = (title: string, total: number) => ({
  title,
  async run(report: (done: number, total: number) => void): Promise<string> {
    for (let done = 1; done <= total; done++) {
      report(done, total);
      await Promise.resolve();
      if (fail && title === "b.jsonl log" && done === 2) throw "out of paper";
      if (interrupt && title === "b.jsonl log" && done === 2) {
        process.kill(process.pid, "SIGINT");
        await new Promise(setImmediate);
      }
    }
    return title;
  },
});

try {
  const results = await withProgress([
    task("a.jsonl plain", 1_453),
    task("b.jsonl log", 4),
    task("\u001b[2J\u202e", 1),
  ]);
  console.log(JSON.stringify({ results }));
} catch (thrown) {
  console.log(JSON.stringify({ thrown }));
}
