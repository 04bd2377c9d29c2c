export { fileTouches, type RecordedTouch } from "./file-touches.ts";
export type { FindOptions, RecordingAgent } from "./find/agent-folders.ts";
export { type FoundRecording, findRecordings } from "./find/find-recordings.ts";
export { type RecordingPlace, recordingsIn } from "./find/recordings-in.ts";
export { limits } from "./limits.ts";
export { piRecording } from "./pi/recording.ts";
export { readRecording } from "./read-recording.ts";
export type {
  RecordedAssistant,
  RecordedAttachment,
  RecordedCall,
  RecordedEvent,
  RecordedResult,
  RecordedThinking,
  RecordedUsage,
  RecordedUser,
  Recording,
  RecordingContent,
  RecordingFormat,
  RecordingOptions,
} from "./recording.ts";
export type { RecordingErrorCode } from "./recording-error.ts";
export { recordingId } from "./recording-id.ts";
