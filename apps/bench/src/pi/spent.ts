/** Time that Pi waits, and the processor's meanwhile. */
export class Spent {
  ms = 0;
  cpuMs = 0;

  async on(handlers: () => Promise<unknown> | undefined): Promise<unknown> {
    const cpu = process.cpuUsage();
    const asked = performance.now();
    const answer = await handlers();
    this.ms += performance.now() - asked;
    const { user, system } = process.cpuUsage(cpu);
    this.cpuMs += (user + system) / 1_000;
    return answer;
  }
}
