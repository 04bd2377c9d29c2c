import type { PlantedSecret } from "./planted-secrets.ts";

/** The ten places in which a secret comes along. Each gives the whole text. */
export const carriers: Readonly<Record<string, (secret: PlantedSecret) => string>> = {
  file: ({ key, value }) =>
    `import { connect } from "./connect.ts";\n\nexport const ${key} = \`${value}\`;\nconnect(${key});\n`,
  environment: ({ key, value }) => `# local\nPORT=8080\n${key}=${value}\nDEBUG=1\n`,
  output: ({ key, value }) => `$ printenv | sort\nHOME=/home/ada\n${key}: ${value}\nSHELL=/bin/bash\n`,
  arguments: ({ key, value }) =>
    JSON.stringify({ command: `curl -H '${key}: ${value}' http://localhost:8080`, timeout: 10 }),
  error: ({ key, value }) =>
    `Error: request failed (401)\n    at connect (app.js:10:3)\n  { ${key}: '${value}', retries: 3 }\n`,
  chat: ({ key, value }) => `Please try it with ${key}: ${value}\nand tell me whether it works.`,
  json: ({ key, value }) => JSON.stringify({ name: "app", config: { [key]: value, port: 8080 } }, null, 2),
  yaml: ({ key, value }) =>
    value.includes("\n")
      ? `app:\n  ${key}: |\n    ${value.replaceAll("\n", "\n    ")}\n  port: 8080\n`
      : `app:\n  ${key}: "${value}"\n  port: 8080\n`,
  log: ({ key, value }) =>
    `\u001b[2m12:00:01\u001b[0m \u001b[31mERROR\u001b[0m ${key}=\u001b[33m${value}\u001b[0m refused\n`,
  diff: ({ key, value }) =>
    `diff --git a/app.ini b/app.ini\n@@ -1,2 +1,3 @@\n [app]\n${`${key} = ${value}`.replace(/^/gm, "+")}\n port = 8080\n`,
};
