import { type RawBuilder, sql } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { TaskRow } from '../../../tables.gen.ts'

/** The columns of a work queue. */
type QueueColumn = 'reconcile_at' | 'leased_until' | 'fence' | 'generation' | 'attempts' | 'last_error'

export interface ClaimableRow extends Readonly<Pick<TaskRow, QueueColumn>> {
  readonly id: string
}

/** Tables with the columns of a work queue. Each has an index on `reconcile_at`. */
export type ClaimableTable = {
  [Table in keyof Schema]: QueueColumn extends keyof Schema[Table] ? Table : never
}[keyof Schema]

/** Returns the tables whose rows a worker claims. */
export const claimableTables = (
  modules: readonly { readonly kinds?: readonly { readonly table: ClaimableTable }[] }[],
): readonly ClaimableTable[] => ['task', ...modules.flatMap(({ kinds = [] }) => kinds.map(({ table }) => table))]

export interface Queue<Row> {
  /** @param held rows that this worker already holds */
  claimDue(db: Db, count: number, leaseSeconds: number, held?: readonly Row[]): Promise<Row[]>
  renewClaims(db: Db, held: readonly Row[], leaseSeconds: number): Promise<Set<string>>
  /** Returns the milliseconds until the next row is due or its lease expires; null: no row is scheduled. */
  msUntilDue(db: Db): Promise<number | null>
  readonly isDue: RawBuilder<boolean>
}

/** Owners of rows take turns, so that a large order delays only its own organisation. */
export interface Turns {
  /** SELECT statement with the IDs of the owners. */
  readonly owners: RawBuilder<unknown>
  /** Column of the table with the ID of the owner. */
  readonly column: string
  /** Maximum number of rows of one owner that a worker holds. */
  readonly max: number
}

export interface QueueOptions {
  readonly filter?: RawBuilder<unknown> | undefined
  readonly turns?: Turns | undefined
  /** Columns that the claim itself sets, so that no separate write is needed at the start of the work. */
  readonly setOnClaim?: RawBuilder<unknown> | undefined
}

export function queueOf<Row extends ClaimableRow>(
  name: ClaimableTable,
  { filter = sql`true`, turns, setOnClaim }: QueueOptions = {},
): Queue<Row> {
  const table = sql.table(name)
  const due = sql`reconcile_at <= portal_now() and (leased_until is null or leased_until <= portal_now()) and ${filter}`
  const oldest = (count: number) => sql`
    select id from ${table} where ${due} order by reconcile_at limit ${count} for update skip locked`
  const inTurn = (count: number, { owners, column, max: most }: Turns, held: readonly Row[]) => sql`
    select id from (
      select mine.id, mine.reconcile_at,
        row_number() over (partition by o.id order by mine.reconcile_at) + coalesce(held.rows, 0) as place
      from (${owners}) o
        left join (select ${sql.ref(column)} as owner, count(*) as rows from ${table} t
          where t.id = any(${held.map(({ id }) => id)}::uuid[]) group by owner) as held on held.owner = o.id
        cross join lateral (
          select id, reconcile_at from ${table} where ${sql.ref(column)} = o.id and ${due}
          order by reconcile_at limit ${Math.min(count, most)} for update skip locked) as mine) as placed
    where place <= ${most} order by place, reconcile_at limit ${count}`
  return {
    // SQL: true if a row is due. With the order, which `exists` would drop, PostgreSQL reads the index regardless of
    // the statistics.
    isDue: sql<boolean>`(select true from ${table} where ${due} order by reconcile_at limit 1)`,

    async claimDue(db, count, leaseSeconds, held = []) {
      const { rows } = await sql<Row>`
        with due as (${turns === undefined ? oldest(count) : inTurn(count, turns, held)})
        update ${table} t set fence = fence + 1, leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
          ${setOnClaim === undefined ? sql`` : sql`, ${setOnClaim}`}
        from due where t.id = due.id returning t.*`.execute(db)
      return rows
    },

    async renewClaims(db, held, leaseSeconds) {
      if (held.length === 0) return new Set()
      // Rows are locked in the order of IDs, as in all code that locks several rows, to avoid deadlocks.
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

    async msUntilDue(db) {
      const { rows } = await sql<{ ms: number | null }>`
        select (extract(epoch from min(greatest(reconcile_at, leased_until)) - portal_now()) * 1000)::float8 as ms
        from ${table} where reconcile_at is not null and ${filter}`.execute(db)
      return rows[0]?.ms ?? null
    },
  }
}
