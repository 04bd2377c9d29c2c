import { Draw, GeneratedProject, type ToolUse } from "@cm/replay/generated";

/** A session with 10,000 objects at its end: a call in each step, the files it works on, and those that listings tell. */
export const shape = { steps: 2_000, projectFiles: 400, linesPerFile: 90, listings: 200, filesPerListing: 38 };

const seed = 20_261_122;
/** The length to which a harness cuts an output. */
const outputCharsMax = 30_000;
/** An MCP server's output is often not cut at all. */
const largestLines = 6_000;

export interface ScriptedStep {
  /** A new turn begins. */
  readonly prompt: string | undefined;
  readonly said: string;
  readonly use: ToolUse;
  /** Files that this call brings into the index, as a listing's output names them. */
  readonly discovered: readonly string[];
}

/** An agent's work on one project: turns of some dozen calls, most of them on few files. The same on every machine. */
export function* longRequestsScript(): Generator<ScriptedStep> {
  const draw = new Draw(seed);
  const project = new GeneratedProject(draw, { files: shape.projectFiles, linesPerFile: shape.linesPerFile });
  const paths = project.paths.slice(0, shape.projectFiles);
  let plan = [draw.of(paths)];
  for (let step = 0, left = 0; step < shape.steps; step += 1, left -= 1) {
    const begins = left <= 0;
    if (begins) {
      left = draw.number(5, 45);
      plan = Array.from({ length: 4 }, () => draw.of(paths));
    }
    const prompt = begins ? `Please change how ${project.name()} works in ${plan[0]}.` : undefined;
    const said = `I look at ${project.name()} now.`;
    const isListing = step % (shape.steps / shape.listings) === 0;
    const discovered = isListing ? listed(step) : [];
    const use = isListing ? listing(step, discovered) : toolUse(project, draw, draw.of(plan));
    yield { prompt, said, use: { ...use, output: use.output.slice(0, cutOf(use)) }, discovered };
  }
}

const cutOf = ({ name }: ToolUse): number => (name === "fetch_log" ? Number.POSITIVE_INFINITY : outputCharsMax);

function toolUse(project: GeneratedProject, draw: Draw, path: string): ToolUse {
  const choice = draw.number(1, 1_000);
  if (choice <= 300) return project.read(path);
  if (choice <= 650) return project.edit(path);
  if (choice <= 750) {
    const { output, ...search } = project.search();
    return { ...search, output: output.slice(0, 8_000) };
  }
  if (choice <= 980) return project.test(path);
  return build(project, draw, choice === 1_000);
}

/** Long output of many lines, seldom of half a million characters. */
function build(project: GeneratedProject, draw: Draw, isLargest: boolean): ToolUse {
  const count = isLargest ? largestLines : draw.number(100, 500);
  const lines = Array.from({ length: count }, (_, at) => {
    return `[${at}] compiled ${project.name()} as ${draw.number(1e9, 9e9).toString(16)} in out/${project.name()}.js`;
  });
  if (isLargest) return { name: "fetch_log", args: { run: draw.number(1, 1e6) }, output: lines.join("\n") };
  return { name: "bash", args: { command: "npm run build" }, output: lines.join("\n") };
}

function listed(step: number): readonly string[] {
  return Array.from({ length: shape.filesPerListing }, (_, file) => `packages/area-${step}/module-${step}-${file}.ts`);
}

function listing(step: number, paths: readonly string[]): ToolUse {
  return { name: "bash", args: { command: `ls packages/area-${step}/*` }, output: paths.join("\n") };
}
