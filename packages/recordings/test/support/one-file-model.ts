import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A model on loopback that calls a tool once, to see one file, and then says that it is done. */
export interface OneFileModel {
  readonly url: string;
  close(): Promise<void>;
}

/** Speaks Chat Completions, to call `read`, and Responses, to call `exec_command`. @param file its whole path */
export async function startOneFileModel(file: string): Promise<OneFileModel> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString();
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (request.url?.includes("/responses")) answerResponses(response, body, file);
      else answerChat(response, body, file);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function answerChat(response: ServerResponse, body: string, filePath: string): void {
  const common = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
  const send = (fields: object) => response.write(`data: ${JSON.stringify({ ...common, ...fields })}\n\n`);
  const delta = (fields: object, end: string | null = null) =>
    send({ choices: [{ index: 0, delta: fields, finish_reason: end }] });
  const call = { name: "read", arguments: JSON.stringify({ filePath }) };
  // A request for a title has no tools.
  if (body.includes('"name":"read"') && !body.includes('"role":"tool"')) {
    delta({ role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] });
    delta({}, "tool_calls");
  } else {
    delta({ role: "assistant", content: "Done." });
    delta({}, "stop");
  }
  const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
  send({ choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 512 } } });
  response.write("data: [DONE]\n\n");
}

function answerResponses(response: ServerResponse, body: string, file: string): void {
  const send = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const call = { name: "exec_command", arguments: JSON.stringify({ cmd: `cat ${file}` }) };
  const said = { role: "assistant", content: [{ type: "output_text", text: "Done.", annotations: [] }] };
  const item = body.includes("function_call_output")
    ? { type: "message", id: "msg_1", status: "completed", ...said }
    : { type: "function_call", id: "fc_1", call_id: "call_1", status: "completed", ...call };
  const usage = {
    ...{ input_tokens: 1000, input_tokens_details: { cached_tokens: 512 } },
    ...{ output_tokens: 10, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1010 },
  };
  const whole = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
  send("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  send("response.output_item.added", { output_index: 0, item });
  send("response.output_item.done", { output_index: 0, item });
  send("response.completed", { response: { ...whole, output: [item], usage } });
}
