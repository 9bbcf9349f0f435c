// An agent on OpenAI's Responses API: every request is streamed, the loop over the tools is its own.
import OpenAI from "openai";
import { readFileSync } from "node:fs";

const client = new OpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: process.env.MODEL_KEY });
const input = JSON.parse(readFileSync(0, "utf8"));
const tools = [{ type: "function", name: "weather", strict: false, parameters: { type: "object" } }];
const calls = [];
let response;

do {
  response = await client.responses.stream({ model: "gpt-x", input, tools }).finalResponse();
  for (const item of response.output) {
    input.push(item);
    if (item.type === "function_call") {
      calls.push({ name: item.name, arguments: item.arguments, result: "21 degrees" });
      input.push({ type: "function_call_output", call_id: item.call_id, output: "21 degrees" });
    }
  }
} while (response.output.some((item) => item.type === "function_call"));

console.log(JSON.stringify({ text: response.output_text, tool_calls: calls }));
