import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import { hoursOfMinutes } from '@trainyard/contract/words/duration.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../db/schema.ts'
import { usedUpCount, firstUsedUp, positiveBalances } from './counters.ts'

type Attention = ReplyOf<typeof home.attention>

const ROWS_MAX = 5

export async function attention(db: Db): Promise<Attention> {
  const [failing, quotaUsedUp, unpaid, uncredited, orphans] = await Promise.all([
    failingMachines(db),
    usedUpMachines(db),
    unpaidBalances(db),
    uncreditedPayments(db),
    listedOrphans(db),
  ])
  return { failing, quotaUsedUp, unpaid, uncredited, orphans }
}

async function failingMachines(db: Db): Promise<Attention['failing']> {
  const { rows } = await sql<Attention['failing']['first'][number] & Counted>`
    select o.name as organization, t.name as training, m.name as machine, m.last_error as reason,
      m.resource_group as "resourceGroup", m.refused,
      count(*) over () as total
    from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    where m.terminated_at is null and m.last_error is not null and m.desired <> 'gone'
    order by m.attempts desc, m.number limit ${ROWS_MAX}`.execute(db)
  return firstRows(rows)
}

async function usedUpMachines(db: Db): Promise<Attention['quotaUsedUp']> {
  const { rows } = await sql<Omit<Attention['quotaUsedUp']['first'][number], 'reason'> & Counted & { minutes: number }>`
    select o.name as organization, t.name as training, m.name as machine, m.allotted_minutes as minutes,
      ${usedUpCount} as total
    from ${firstUsedUp(ROWS_MAX)} as used_up join machine m on m.id = used_up.id
    join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    order by used_up.since, m.number`.execute(db)
  return firstRows(
    rows.map(({ minutes, ...row }) => ({
      ...row,
      reason: `All allotted hours (${hoursOfMinutes(minutes)}) are used.`,
    })),
  )
}

async function unpaidBalances(db: Db): Promise<Attention['unpaid']> {
  const { rows } = await sql<{ organization: string; balance: Paise } & Counted>`
    select o.name as organization, owing.balance, count(*) over () as total
    from ${positiveBalances} as owing join organisation o on o.id = owing.organisation_id
    order by owing.balance desc, o.name limit ${ROWS_MAX}`.execute(db)
  return firstRows(rows.map(({ balance, ...row }) => ({ ...row, balancePaise: balance })))
}

/**
 * Returns payments that were captured but not credited. Excludes payments for which queries of the provider failed
 * (attempts > 0), because these queries are retried.
 */
async function uncreditedPayments(db: Db): Promise<Attention['uncredited']> {
  const { rows } = await sql<Attention['uncredited']['first'][number] & Counted>`
    select o.name as organization, p.order_id as order, p.last_error as reason, count(*) over () as total
    from payment p join organisation o on o.id = p.organisation_id
    where p.last_error is not null and p.attempts = 0
    order by p.created_at limit ${ROWS_MAX}`.execute(db)
  return firstRows(rows)
}

async function listedOrphans(db: Db): Promise<Attention['orphans']> {
  const { rows } = await sql<{ resourceGroup: string; name: string; since: Date } & Counted>`
    select resource_group as "resourceGroup", name, first_seen_at as since, count(*) over () as total
    from orphan where gone_at is null order by first_seen_at, resource_group, name limit ${ROWS_MAX}`.execute(db)
  return firstRows(rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })))
}

interface Counted {
  readonly total: number
}

const firstRows = <Row extends Counted>(rows: readonly Row[]) => ({
  count: rows[0]?.total ?? 0,
  // The schema of the reply removes `total`.
  first: [...rows],
})
