import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

/** Length of a run `r`. */
export const SECONDS = `extract(epoch from coalesce(r.stopped_at, date_trunc('second', portal_now())) - r.started_at)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'M1',
    description: 'Runs of a machine never overlap.',
    when: 'always',
    // Compares each start with the latest end before it. Runs with a length of zero cannot overlap other runs.
    query: `select machine_id, started_at from (
        select machine_id, started_at, max(coalesce(stopped_at, 'infinity')) over (partition by machine_id
          order by started_at rows between unbounded preceding and 1 preceding) as latest
        from run where stopped_at is distinct from started_at) r
      where started_at < latest`,
  },
  {
    name: 'M2',
    description: 'A running machine has an open run; a stopped or absent one has none.',
    when: 'always',
    query: `select m.id, m.name, m.observed from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
      where (m.observed = 'running' and r.id is null) or (m.observed in ('stopped', 'absent') and r.id is not null)`,
  },
  {
    name: 'M3',
    description: "A run starts and ends within its machine's lifetime and not in the future.",
    when: 'always',
    query: `select r.id, r.started_at, r.stopped_at, m.created_at, m.terminated_at
      from run r join machine m on m.id = r.machine_id
      where r.started_at < date_trunc('second', m.created_at) or r.started_at > portal_now()
        or r.stopped_at > portal_now() or r.stopped_at > m.terminated_at
        or (r.stopped_at is null and m.terminated_at is not null)`,
  },
  {
    name: 'M4',
    description: 'The stored sums of the ended runs of a machine equal its runs.',
    when: 'always',
    query: `select machine_id from run_total t
      full join (select machine_id, count(*) as runs, sum(${SECONDS}) as seconds,
          sum(${SECONDS} * r.paise_per_hour) as paise_seconds
        from run r where stopped_at is not null group by machine_id) found using (machine_id)
      where (coalesce(t.runs, 0), coalesce(t.seconds, 0), coalesce(t.paise_seconds, 0))
        is distinct from (coalesce(found.runs, 0), coalesce(found.seconds, 0), coalesce(found.paise_seconds, 0))`,
  },
]
