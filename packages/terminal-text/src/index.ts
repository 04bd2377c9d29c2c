export { bytesText, counted, countText } from "./counts.ts";
export { durationText, isoText, momentText } from "./times.ts";
export { visibleClause, visibleLine, visiblePath, visibleText } from "./visible.ts";
