import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as calls, Progress } from '../../contract/machine.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperationKind } from '../../contract/operation.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { durationsByGroup } from './queries.ts'

interface Row {
  readonly machine_id: MachineId
  readonly kind: OperationKind
  readonly asked_at: Date
  readonly sent_at: Date | null
  readonly accepted_at: Date | null
  readonly ended_at: Date | null
  readonly ready_at: Date | null
  readonly closed: boolean
  readonly reason: string | null
  readonly median: number | null
  readonly p90: number | null
}

/** The columns are listed, because PostgreSQL plans a statement with `*` at each execution. */
const COLUMNS = sql.raw(
  `machine_id, kind, size_name, location, asked_at, sent_at, accepted_at, ended_at, ready_at, closed_at, reason`,
)

/**
 * SQL: columns of the operations. Until the provider accepts a command, only the machine's row contains the time at
 * which the command was sent.
 */
const shown = (operations: RawBuilder<unknown>) => sql<Row>`
  with shown as materialized (${operations})
  select o.machine_id, o.kind, o.asked_at, o.accepted_at, o.ended_at, o.ready_at, u.median, u.p90,
    coalesce(o.sent_at, case when o.closed_at is null and m.command = o.kind then m.command_at end) as sent_at,
    o.closed_at is not null as closed, coalesce(o.reason, case when o.closed_at is null then m.last_error end) as reason
  from shown o join machine m on m.id = o.machine_id
  left join ${durationsByGroup(sql`select distinct kind, size_name, location from shown`)} as u
    on u.kind = o.kind and u.size_name = o.size_name and u.location = o.location
  order by o.asked_at desc, o.ended_at desc nulls first`

/** SQL: false if none of the machines has an operation in progress. This saves the query of `progressOf`. */
export const haveOperations = (machines: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from operation where closed_at is null and machine_id in (${machines}))`

export async function progressOf(db: Db, machines: RawBuilder<unknown>): Promise<ReadonlyMap<MachineId, Progress>> {
  const { rows } = await shown(
    sql`select ${COLUMNS} from operation where closed_at is null and machine_id in (${machines})`,
  ).execute(db)
  // A capture is last, so that it overrides other operations in the map: they wait until the capture is done.
  const inOrder = rows.toSorted((a, b) => Number(a.kind === 'capture') - Number(b.kind === 'capture'))
  return new Map(inOrder.map((row) => [row.machine_id, viewOf(row)]))
}

const MAX_SHOWN = 20

export async function operationsOf(
  db: Db,
  machine: MachineId,
): Promise<ReplyOf<typeof calls.operations>['operations']> {
  const { rows } = await shown(
    sql`select ${COLUMNS} from operation where machine_id = ${machine} order by asked_at desc limit ${MAX_SHOWN}`,
  ).execute(db)
  return rows.map((row) => ({ ...viewOf(row), closed: row.closed, reason: row.reason }))
}

const viewOf = ({ kind, asked_at, sent_at, accepted_at, ended_at, ready_at, median, p90 }: Row): Progress => ({
  kind,
  askedAt: asked_at.toISOString(),
  sentAt: iso(sent_at),
  acceptedAt: iso(accepted_at),
  endedAt: iso(ended_at),
  readyAt: iso(ready_at),
  usual: median === null || p90 === null ? null : { median, p90 },
})

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null
