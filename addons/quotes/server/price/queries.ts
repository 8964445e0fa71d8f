import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { priceAt, priceChanges } from '@trainyard/templates/server/price-at.ts'
import { BILLING_ZONE, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import type { CustomerPriceRow } from '../../tables.gen.ts'

/**
 * Without the surcharge for browser access. A price of the template takes precedence over a price of the size, which
 * does not include the licence.
 */
export const customerPriceAt: AnswerTo<typeof priceAt> = ({ organisation, template, size, licence, day }) => {
  const priceOf = (kind: CustomerPriceRow['kind'], item: RawBuilder<unknown>) => sql`(
    select agreed.paise_per_hour from customer_price agreed
    where agreed.organisation_id = ${organisation} and agreed.kind = ${sql.lit(kind)}
      and lower(agreed.item) = lower(${item}) and agreed.valid_from <= ${day}
    order by agreed.valid_from desc limit 1)`
  return sql`coalesce(${priceOf('template', template)}, ${priceOf('size', size)}
    + case when ${licence} = 'none' then 0 else coalesce(${priceOf('licence', licence)}, 0) end)`
}

export const customerPriceChanges: AnswerTo<typeof priceChanges> = ({ organisations, of }) => {
  const ofItem =
    of &&
    sql`and (p.kind, lower(p.item)) in
      (('template', lower(${of.template})), ('size', lower(${of.size})), ('licence', lower(${of.licence})))`
  return sql`select p.valid_from as day from customer_price p where p.organisation_id = ${organisations} ${ofItem ?? sql``}`
}

export const selectOrganisationsWithDueChanges = (db: Db) =>
  sql<{ organisation: OrganisationId }>`
    select distinct organisation_id as organisation from price_change where at <= portal_now()`.execute(db)

export const deleteDueChanges = (tx: Tx, organisation: OrganisationId) =>
  sql<{ at: Date }>`
    delete from price_change where organisation_id = ${organisation} and at <= portal_now() returning at`.execute(tx)

export const lockLiveMachines = (tx: Tx, organisation: OrganisationId) =>
  sql<{ id: MachineId; training: TrainingId }>`
    select id, training_id as training from machine
    where organisation_id = ${organisation} and terminated_at is null order by id for update`.execute(tx)

export const upsertPrice = (
  tx: Tx,
  input: {
    readonly id: OrganisationId
    readonly kind: string
    readonly item: string
    readonly from: string
    readonly paise: Paise | null
    readonly email: string
  },
) =>
  sql`
    with changed as (
      insert into price_change (organisation_id, at)
      values (${input.id}, ${input.from}::date::timestamp at time zone ${BILLING_ZONE}) on conflict do nothing)
    insert into customer_price (organisation_id, kind, item, valid_from, paise_per_hour, decided_by)
    values (${input.id}, ${input.kind}, ${input.item}, ${input.from}, ${input.paise}, ${input.email})
    on conflict (organisation_id, kind, lower(item), valid_from)
    do update set paise_per_hour = excluded.paise_per_hour, decided_by = excluded.decided_by, decided_at = portal_now()`.execute(
    tx,
  )

export const selectHasUsageToday = (tx: Tx, organisation: OrganisationId) =>
  sql<{ found: boolean }>`
    select exists (select from machine m join run r on r.machine_id = m.id where m.organisation_id = ${organisation}
      and (r.stopped_at is null or r.stopped_at > ${SUPPLIER_TODAY}::timestamp at time zone ${BILLING_ZONE})) as found`.execute(
    tx,
  )

export const countPrices = (tx: Tx, organisation: OrganisationId) =>
  sql<{ count: number }>`
    select count(*)::int as count from customer_price where organisation_id = ${organisation}`.execute(tx)
