import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import type { LeasedColumns } from '../db/schema/leased.ts'

/** A row that is its own queue. */
export interface ClaimableRow extends Readonly<Selectable<LeasedColumns>> {
  readonly id: string
}

/** Tables whose rows are their own queue, each with an index on `reconcile_at` and the columns of `LeasedColumns`. */
export type ClaimableTable = 'machine' | 'payment' | 'security_group' | 'azure_user' | 'sandbox' | 'aws_user' | 'task'

/** Claiming rows that are due, and keeping the claims. */
export interface Queue<Row> {
  /** Takes up to `count` rows that are due, each for this worker alone. */
  claimDue(db: Db, count: number, leaseSeconds: number): Promise<Row[]>
  /** Prolongs the claims that still hold; answers the ids of those that do. */
  keepClaims(db: Db, held: readonly Row[], leaseSeconds: number): Promise<Set<string>>
  /** Milliseconds until the next row is due or can be taken over; null: none will be by itself. */
  untilDue(db: Db): Promise<number | null>
}

/** Writing down what came of a claim, and giving it back. A result is written only under the current fence. */
export interface LeasedRows<Row> extends Queue<Row> {
  readonly table: ClaimableTable
  /**
   * Does something to the claimed row as it is now, locked; null when the claim is over. `hold` takes the locks that
   * must come before the row's own.
   */
  withClaimed<T>(
    db: Db,
    claimed: Row,
    work: (tx: Tx, row: Row & { readonly now: Date }) => Promise<T>,
    hold?: (tx: Tx) => Promise<void>,
  ): Promise<T | null>
  /** Gives the row back, to be taken up again after so many seconds (null: not by itself). */
  release(tx: Tx, row: Row, seconds: number | null): Promise<void>
  /** Lets nobody have the row for so many seconds, whatever is wanted of it meanwhile. After `release`. */
  withhold(tx: Tx, row: Row, seconds: number): Promise<void>
}

/** @param among only rows of which this holds are claimed; all where it is left out */
export function queueOf<Row extends ClaimableRow>(
  name: ClaimableTable,
  among: RawBuilder<unknown> = sql`true`,
): Queue<Row> {
  const table = sql.table(name)
  return {
    async claimDue(db, count, leaseSeconds) {
      const { rows } = await sql<Row>`
        with due as (
          select id from ${table}
          where reconcile_at <= portal_now() and (leased_until is null or leased_until <= portal_now()) and ${among}
          order by reconcile_at limit ${count} for update skip locked)
        update ${table} t set fence = fence + 1, leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
        from due where t.id = due.id returning t.*`.execute(db)
      return rows
    },

    async keepClaims(db, held, leaseSeconds) {
      if (held.length === 0) return new Set()
      // Locked in the order of their ids, as by all who wait for several: else two might wait for each other.
      const { rows } = await sql<{ id: string }>`
        with mine as (
          select t.id from ${table} t
          join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::bigint[])
            as held (id, fence) on t.id = held.id and t.fence = held.fence
          where t.leased_until is not null order by t.id for update of t)
        update ${table} t set leased_until = greatest(leased_until, portal_now() + make_interval(secs => ${leaseSeconds}))
        from mine where t.id = mine.id returning t.id`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    async untilDue(db) {
      const { rows } = await sql<{ ms: number | null }>`
        select (extract(epoch from min(greatest(reconcile_at, leased_until)) - portal_now()) * 1000)::float8 as ms
        from ${table} where reconcile_at is not null and ${among}`.execute(db)
      return rows[0]?.ms ?? null
    },
  }
}

export function leasedRows<Row extends ClaimableRow>(name: ClaimableTable): LeasedRows<Row> {
  const table = sql.table(name)
  return {
    ...queueOf<Row>(name),
    table: name,

    withClaimed(db, { id, fence }, work, hold) {
      return db.transaction().execute(async (tx) => {
        await hold?.(tx)
        const { rows } = await sql<Row & { now: Date }>`
          select *, portal_now() as now from ${table} where id = ${id} for update`.execute(tx)
        const [row] = rows
        return row?.fence === fence && row.leased_until !== null ? work(tx, row) : null
      })
    },

    async release(tx, { id }, seconds) {
      await sql`
        update ${table} set leased_until = null,
          reconcile_at = portal_now() + make_interval(secs => ${seconds}::float8)
        where id = ${id}`.execute(tx)
    },

    async withhold(tx, { id }, seconds) {
      await sql`
        update ${table} set leased_until = portal_now() + make_interval(secs => ${seconds}::float8)
        where id = ${id}`.execute(tx)
    },
  }
}
