// Writes the generated files of the tasks anew: node apps/experiments/live/generate/generate.mjs, then npm run fix.
import { plant } from "./plant.mjs";
import { tariffs } from "./tariffs.mjs";

tariffs();
plant();
