// Starts a node and waits for its own end, which the test brings about.
import { startNode } from "../../launch/index.ts";

const node = await startNode({ quick: true });
console.log(`node ${node.pid}`);
