/** Names of variables whose values a command of an agent has no business with. */
const secret = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|^CM_|^AWS_|^PG/i;

/** The environment of commands that agents run: this server's, without what gives access to anything. */
export function toolEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.test(name)));
}
