import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { ClaimableTable } from './claim.ts'
import { selectTasks, type TaskStatus } from './queries.ts'

interface RowsStatus {
  readonly kind: string
  readonly due: number
  readonly atWork: number
  readonly failing: number
  /** Waiting time of the row that has been due longest without being claimed, in seconds. */
  readonly lagSeconds: number
}

export interface Status {
  readonly tasks: TaskStatus[]
  readonly rows: RowsStatus[]
}

/** @param tables tables of claimable rows */
export async function statusOf(db: Db, tables: readonly ClaimableTable[]): Promise<Status> {
  const kinds = tables.filter((table) => table !== 'task')
  const [tasks, rows] = await Promise.all([tasksOf(db), Promise.all(kinds.map((kind) => rowsOf(db, kind)))])
  return { tasks, rows }
}

async function tasksOf(db: Db): Promise<TaskStatus[]> {
  const { rows } = await selectTasks(db)
  return rows.map(({ started_at, ended_at, ...row }) => ({
    ...row,
    startedAt: started_at?.toISOString() ?? null,
    endedAt: ended_at?.toISOString() ?? null,
  }))
}

async function rowsOf(db: Db, kind: string): Promise<RowsStatus> {
  const { rows } = await sql<Omit<RowsStatus, 'kind'>>`
    select count(*) filter (where reconcile_at <= portal_now() and not held)::int as due,
      count(*) filter (where held)::int as "atWork", count(*) filter (where attempts > 0)::int as failing,
      coalesce(extract(epoch from portal_now()
        - min(reconcile_at) filter (where reconcile_at <= portal_now() and not held)), 0)::float8 as "lagSeconds"
    from (select reconcile_at, attempts, coalesce(leased_until > portal_now(), false) as held from ${sql.table(kind)}
      where reconcile_at is not null) as waiting`.execute(db)
  return { kind, ...rows[0]! }
}
