/**
 * Stretches of JSON that payloads are made of, each stored as one byte from `firstFragmentMark` on. They belong to
 * encodings 0 and 1 of `payload-codec`: a list in use never changes, neither text nor order. A better list comes with
 * the next encoding number. Longer ones stand before those they begin with.
 */
export const payloadFragments1: readonly string[] = [
  // Heads, which get a new version at every step.
  '{"content":null,"session_ref":"session:',
  '","turn_count":',
  ',"step_count":',
  ',"toolcall_count":',
  ',"chain":"',
  '","head":{"session":"',
  '"head":{"session":"',
  '","n":',
  '{"content":null,"chat_ref":"chat:',
  '","system_prompt_ref":"system_prompt:',
  '","status":"active","next_step":',
  '","index_count":',
  ',"pool_count":',
  ',"active_count":',
  ',"pinned_count":',
  ',"keyframe":"keyframe:',
  // Steps.
  ',"parent":{"session":"',
  '},"messages":[{"role":"assistant","text":"',
  ',"usage":{"input":',
  ',"recorded_at":1',
  // Tool calls.
  '{"content":null,"tool":"',
  '"},"args_display":"',
  '","status":"ok","chat_ref":"chat:',
  '","file_refs":["',
  // Files.
  '{"content":null,"source_hash":"',
  '{"content":null,"file_type":"',
  '","char_count":',
  ',"null_reason":"unread"}',
];
