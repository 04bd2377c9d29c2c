#!/usr/bin/env node
import { runCm } from "./run.ts";
import { endQuietlyOnSignals } from "./signals.ts";
import { processWorld } from "./world.ts";

endQuietlyOnSignals();
process.exitCode = await runCm(process.argv.slice(2), processWorld());
