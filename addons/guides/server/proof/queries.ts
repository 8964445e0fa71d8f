import { sql } from 'kysely'
import type { MachineId, OrganisationId, ProofId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { priceAt, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { billByMachineBefore } from '@trainyard/usage/server/used.ts'
import { PROOF_MINUTES_MAX } from '../../contract/proof-words.ts'

/** Keeps two proofs of an organisation from taking the last free place at the same time. */
export const lockProofsOf = (tx: Tx, organisation: OrganisationId) =>
  sql`select pg_advisory_xact_lock(hashtext('guide proofs'), hashtext(${organisation}::text))`.execute(tx)

/** Returns the bill of a deleted machine. */
export const selectCost = (tx: Tx, machine: MachineId, now: Date) =>
  sql<{ paise: number }>`
    select coalesce(sum(amount), 0)::bigint as paise
    from ${billByMachineBefore(sql`select ${machine}::uuid`, now)} as bill`.execute(tx)

/** Returns the seconds until the time limit of a proof. */
export const selectSecondsLeft = (db: Db, proof: ProofId) =>
  sql<{ seconds: number }>`
    select extract(epoch from started_at + make_interval(mins => ${PROOF_MINUTES_MAX}) - portal_now())::float8 as seconds
    from proof where id = ${proof}`.execute(db)

/** Templates on which an organisation can prove guides, with the price of a machine. */
export const selectTemplates = (db: Db, organisation: OrganisationId) => {
  const price = sqlOf(priceAt, {
    organisation: sql`a.organisation_id`,
    template: sql`t.name`,
    size: sql`t.size_name`,
    licence: sql`t.licence`,
    day: SUPPLIER_TODAY,
  })
  return sql<{ templateName: string; paisePerHour: Paise }>`
    select t.name as "templateName", coalesce(${price}, t.rate_paise) as "paisePerHour"
    from template_assignment a join template t on t.id = a.template_id
    where a.organisation_id = ${organisation} and t.os = 'Linux' order by t.name`.execute(db)
}
