// An agent on OpenAI's Chat Completions: the SDK runs the tools; the last answer is streamed.
import OpenAI from "openai";
import { readFileSync } from "node:fs";

const client = new OpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: process.env.MODEL_KEY });
const messages = JSON.parse(readFileSync(0, "utf8"));
const calls = [];

const weather = {
  type: "function",
  function: {
    name: "weather",
    parse: JSON.parse,
    parameters: { type: "object", properties: { city: { type: "string" } } },
    function: ({ city }) => {
      calls.push({ name: "weather", arguments: { city }, result: "21 degrees" });
      return "21 degrees";
    },
  },
};

const runner = client.chat.completions.runTools({ model: "gpt-x", messages, tools: [weather], stream: true });
const text = await runner.finalContent();
console.log(JSON.stringify({ text, tool_calls: calls }));
