import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { user, messages } = JSON.parse(line);
  const last = messages.at(-1);
  let reply = { text: `You said: ${user}` };
  if (last.role === "tool") reply = { text: `The clock says ${last.content}.` };
  else if (user.includes("time")) reply = { tool_calls: [{ id: "call_1", name: "clock", arguments: {} }] };
  console.log(JSON.stringify(reply));
}
