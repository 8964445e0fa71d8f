import { sql } from 'kysely'
import { type ClaimableRow, type ClaimableTable, queueOf } from '../src/reconcile/claim.ts'
import type { Columns } from '../src/reconcile/outcome.ts'
import { type Work, workOn } from '../src/reconcile/work.ts'
import { setPortalClock } from './clock.ts'
import type { TestPortal } from './portal.ts'

/**
 * A row after it was processed. `pause` is the number of seconds until the row is due again; null if it is not
 * scheduled.
 */
type Turned<Row> = Row & { readonly pause: number | null }

/** A portal with a fixed clock, and turns on single rows. A turn is one pass of a worker over one row. */
export interface Turns {
  /** Returns the instant that many seconds after the first time of the clock, or before it if negative. */
  after(seconds: number): Date
  wait(seconds: number): Promise<void>
  change<Row>(table: ClaimableTable, id: string, columns: Columns<Row>): Promise<void>
  /** Claims the row, processes it once and releases its lease. Throws the bugs that occurred. */
  turn<Row extends ClaimableRow>(work: Work<Row>, id: string): Promise<Turned<Row>>
  row<Row>(table: ClaimableTable, id: string): Promise<Turned<Row>>
}

export async function turnsOf({ owner }: Pick<TestPortal, 'owner'>): Promise<Turns> {
  const began = Date.parse('2026-11-01T10:00:00Z')
  let ahead = 0
  const after = (seconds: number) => new Date(began + seconds * 1000)
  await setPortalClock(owner, after(0))
  const row = async <Row>(table: ClaimableTable, id: string) => {
    const { rows } = await sql<Turned<Row>>`
      select *, extract(epoch from reconcile_at - portal_now())::float8 as pause
      from ${sql.table(table)} where id = ${id}`.execute(owner)
    return rows[0]!
  }
  return {
    after,
    row,
    wait(seconds) {
      ahead += seconds
      return setPortalClock(owner, after(ahead))
    },
    async change(table, id, columns) {
      const assigned = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${sql.table(table)} set ${sql.join(assigned)} where id = ${id}`.execute(owner)
    },
    async turn<Row extends ClaimableRow>(work: Work<Row>, id: string) {
      const { table } = work
      await sql`
        update ${sql.table(table)} set reconcile_at = portal_now(), leased_until = null where id = ${id}`.execute(owner)
      const [claimed] = await queueOf<Row>(table, { filter: sql`id = ${id}` }).claimDue(owner, 1, 60)
      const bugs: unknown[] = []
      await workOn(owner, work, claimed!, AbortSignal.timeout(20_000), (bug) => bugs.push(bug))
      if (bugs.length > 0) throw bugs[0]
      return row<Row>(table, id)
    },
  }
}
