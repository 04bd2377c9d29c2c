import { packJson } from "./packed-json.ts";

const id = "0197c0de-0000-7000-8000-000000000000";

/**
 * What payloads look like, as a dictionary for zstd: the most common shapes last, where matches are cheapest. It belongs
 * to encoding 1 of `payload-codec` and must never change by a byte: stored payloads are read with it. A better sample
 * gets a file of its own and the next encoding number.
 */
export const payloadSample1: Buffer = packJson(
  [
    `{"content":null,"session_ref":"session:${id}","n":0,"index":[],"pool":[],"active":[],"pinned":[],"dismissed":[],"requested":[]}`,
    `{"content":null,"session_ref":"session:${id}","owner":"","acquired_at":1767225600000,"expires_at":1767225600000}`,
    `{"content":null,"source_hash":"","file_type":"ts","char_count":0,"null_reason":"unread","redactions":0}`,
    '"null_reason":"deleted","null_reason":"binary","null_reason":"too_large"',
    '"thinking":[{"text":"","signature":""}],"attachments":[{"sha256":"","mime":"image/png","bytes":0}],"stop_reason":"aborted","stop_reason":"length","failed":true',
    '"pattern":"","glob":"**/*.ts","offset":0,"limit":0,"timeout":30,"old_string":"","new_string":"","file_path":"/","description":"","replace_all":false',
    '"command":"cd packages/ && npm run check 2>&1 | tail -3","command":"git diff --stat","command":"grep -rn \\"\\" src | head -20","command":"npm test -- --run test/"',
    `{"content":null,"tool":"edit","args":{"path":"src/index.ts","oldText":"","newText":"\\n\\t\\t\\treturn "},"args_display":"src/","status":"fail","chat_ref":"chat:${id}"}`,
    `{"content":null,"tool":"write","args":{"path":"","content":"import { } from \\"./\\";\\n\\nexport function (): {\\n\\tconst  = await \\n}\\n"},"args_display":"","status":"ok","chat_ref":"chat:${id}","file_refs":[""]}`,
    `{"content":null,"tool":"read","args":{"path":""},"args_display":"","status":"ok","chat_ref":"chat:${id}","file_refs":[""],"spans":[{"file":"","start_line":1,"end_line":200,"content_hash":""}]}`,
    `{"content":null,"tool":"bash","args":{"command":""},"args_display":"","status":"ok","chat_ref":"chat:${id}"}`,
    '"forms":{},"recall":[],"fold":{"cut":0,"reason":""},"form":"full","form":"reference","form":"sparse","form":"same","as":"","form":"diff","from":""',
    '"pinned":{"added":[]},"dismissed":{"added":[]},"requested":{"added":[],"removed":[]},"merged":{"session":"","n":0}',
    `{"content":null,"session_ref":"session:${id}","n":0,"parent":{"session":"${id}","n":0},"messages":[{"role":"user","text":""},{"role":"tool","call_id":"toolu_01","object":"toolu_01"},{"role":"tool","call_id":"call_","object":"call_"},{"role":"assistant","text":"Now let me ","calls":[{"call_id":"toolu_01","tool":"bash","object":"toolu_01"}],"model":"claude-sonnet-4-5","stop_reason":"toolUse"}],"turn":0,"changes_before":{"requested":{"added":["f1"]}},"changes":{"index":{"added":["toolu_01"]},"pool":{"added":["toolu_01"],"removed":[]},"active":{"added":["toolu_01"],"removed":[]}},"observed":[{"file":"","content_hash":"","display":""}],"layout":"log/1","decision":{},"basis":"s1","prompt_hash":"","prompt_chars":0,"kept_chars":0,"redactions":0,"usage":{"input":0,"output":0,"cache_read":0,"cache_write":0},"recorded_at":1767225600000}`,
    `{"content":null,"chat_ref":"chat:${id}","system_prompt_ref":"system_prompt:${id}","status":"active","next_step":0,"head":{"session":"${id}","n":0},"chain":"","index_count":0,"pool_count":0,"active_count":0,"pinned_count":0,"keyframe":"keyframe:${id}:0","forked_from":{"session":"","n":0}}`,
    `{"content":null,"session_ref":"session:${id}","turn_count":0,"step_count":0,"toolcall_count":0,"chain":"","head":{"session":"${id}","n":0}}`,
  ].join("\n"),
  id,
);
