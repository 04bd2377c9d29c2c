/** Begins the runs of subagents. Apart from the tool, whose types bring the types of Pi to users of this package. */
export interface DelegateHost {
  /** Begins a run of the subagent. @returns the run's id */
  delegate(subagent: string, task: string): Promise<string>;
}
