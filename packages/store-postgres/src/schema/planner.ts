/**
 * Settings of the functions. Each question has one good plan, by index and nested loops, and a plan is kept while a table
 * grows from nothing: so the planner is not left to guess from sizes. A disabled plan costs much on paper, which would
 * start the JIT compiler.
 */
export const planned = `SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan`;
