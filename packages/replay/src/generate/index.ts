export { generatedContent } from "./generated-content.ts";
export { GeneratedProject, type ToolUse } from "./generated-project.ts";
export { writeGeneratedRecording } from "./generated-recording.ts";
export { type GeneratedSession, generatedSession } from "./generated-session.ts";
export { Draw, seededRandom } from "./seeded-random.ts";
