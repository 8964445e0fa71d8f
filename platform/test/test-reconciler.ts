import { sql } from 'kysely'
import { type ClaimableRow, type ClaimableTable, queueOf } from '../server/run/reconcile/claim.ts'
import type { Columns } from '../server/run/reconcile/outcome.ts'
import { type Work, workOn } from '../server/run/reconcile/work.ts'
import { setPortalClock } from './clock.ts'
import type { TestPortal } from './portal.ts'

/**
 * A row after it was processed. `pause` is the number of seconds until the row is due again; null if it is not
 * scheduled.
 */
type ProcessedRow<Row> = Row & { readonly pause: number | null }

/** Processes single rows as a worker would, with a clock that only the test advances. */
export interface TestReconciler {
  /** Returns the time `seconds` after the start of the clock, or before it if negative. */
  timeAfter(seconds: number): Date
  wait(seconds: number): Promise<void>
  change<Row>(table: ClaimableTable, id: string, columns: Columns<Row>): Promise<void>
  /** Claims the row, processes it once and releases its lease. Throws unexpected errors of the step. */
  process<Row extends ClaimableRow>(work: Work<Row>, id: string): Promise<ProcessedRow<Row>>
  row<Row>(table: ClaimableTable, id: string): Promise<ProcessedRow<Row>>
}

export async function testReconciler({ owner }: Pick<TestPortal, 'owner'>): Promise<TestReconciler> {
  const began = Date.parse('2026-11-01T10:00:00Z')
  let offsetSeconds = 0
  const timeAfter = (seconds: number) => new Date(began + seconds * 1000)
  await setPortalClock(owner, timeAfter(0))
  const row = async <Row>(table: ClaimableTable, id: string) => {
    const { rows } = await sql<ProcessedRow<Row>>`
      select *, extract(epoch from reconcile_at - portal_now())::float8 as pause
      from ${sql.table(table)} where id = ${id}`.execute(owner)
    return rows[0]!
  }
  return {
    timeAfter,
    row,
    wait(seconds) {
      offsetSeconds += seconds
      return setPortalClock(owner, timeAfter(offsetSeconds))
    },
    async change(table, id, columns) {
      const assigned = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${sql.table(table)} set ${sql.join(assigned)} where id = ${id}`.execute(owner)
    },
    async process<Row extends ClaimableRow>(work: Work<Row>, id: string) {
      const { table } = work
      await sql`
        update ${sql.table(table)} set reconcile_at = portal_now(), leased_until = null where id = ${id}`.execute(owner)
      const [claimed] = await queueOf<Row>(table, { filter: sql`id = ${id}` }).claimDue(owner, 1, 60)
      const errors: unknown[] = []
      await workOn(owner, work, claimed!, AbortSignal.timeout(20_000), (error) => errors.push(error))
      if (errors.length > 0) throw errors[0]
      return row<Row>(table, id)
    },
  }
}
