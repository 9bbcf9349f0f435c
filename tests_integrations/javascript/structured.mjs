// Structured output with zod, over both of OpenAI's APIs.
import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { readFileSync } from "node:fs";
import { z } from "zod";

const client = new OpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: process.env.MODEL_KEY });
const messages = JSON.parse(readFileSync(0, "utf8"));
const Forecast = z.object({ city: z.string(), degrees: z.number() });

const completion = await client.chat.completions.parse({
  model: "gpt-x",
  messages,
  response_format: zodResponseFormat(Forecast, "forecast"),
});
const response = await client.responses.parse({
  model: "gpt-x",
  input: messages,
  text: { format: zodTextFormat(Forecast, "forecast") },
});
const [first, second] = [completion.choices[0].message.parsed, response.output_parsed];
console.log(JSON.stringify({ text: `${first.city}: ${second.degrees}`, data: first }));
