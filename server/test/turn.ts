import { sql } from 'kysely'
import { type ClaimableRow, type ClaimableTable, queueOf } from '../src/reconcile/claim.ts'
import type { Columns } from '../src/reconcile/outcome.ts'
import { type Work, workOn } from '../src/reconcile/work.ts'
import { setPortalClock } from './clock.ts'
import type { TestPortal } from './portal.ts'

/** A row after a worker's turn on it: with the seconds until it is taken up again; null: it is not, by itself. */
export type Turned<Row> = Row & { readonly pause: number | null }

/** A portal whose clock stands, and the turns of a worker on single rows, one at a time. */
export interface Turns {
  /** That many seconds from when the clock stood first; earlier, where they are negative. */
  after(seconds: number): Date
  wait(seconds: number): Promise<void>
  change<Row>(table: ClaimableTable, id: string, columns: Columns<Row>): Promise<void>
  /** Has a worker take the row's steps until it gives it back. A bug of ours is thrown. */
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
      const [claimed] = await queueOf<Row>(table, { among: sql`id = ${id}` }).claimDue(owner, 1, 60)
      const bugs: unknown[] = []
      await workOn(owner, work, claimed!, AbortSignal.timeout(20_000), (bug) => bugs.push(bug))
      if (bugs.length > 0) throw bugs[0]
      return row<Row>(table, id)
    },
  }
}
