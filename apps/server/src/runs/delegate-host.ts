export interface DelegateHost {
  /** Begins a run of the subagent. @returns the run's id */
  delegate(subagent: string, task: string): Promise<string>;
}
