// An agent on Anthropic's Messages API: every request is streamed, the loop over the tools is its own.
import Anthropic from "@anthropic-ai/sdk";
import { readFileSync } from "node:fs";

const client = new Anthropic({ baseURL: process.env.MODEL_URL, apiKey: process.env.MODEL_KEY });
const messages = JSON.parse(readFileSync(0, "utf8"));
const tools = [{ name: "weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }];
const calls = [];
let reply;

do {
  reply = await client.messages.stream({ model: "claude-x", max_tokens: 500, messages, tools }).finalMessage();
  messages.push({ role: "assistant", content: reply.content });
  const asked = reply.content.filter((block) => block.type === "tool_use");
  calls.push(...asked.map(({ name, input }) => ({ name, arguments: input, result: "21 degrees" })));
  const results = asked.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "21 degrees" }));
  messages.push({ role: "user", content: results });
} while (reply.stop_reason === "tool_use");

console.log(JSON.stringify({ text: reply.content[0].text, tool_calls: calls }));
