import { sql } from 'kysely'
import type { OrganisationId, TaxStatusRequestId } from '@trainyard/platform/contract/words/ids.ts'
import type { CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'
import { ADMIN_CANNOT_CHANGE_STATUS, statusProblem } from '../contract/tax-status-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { gstinChange, gstinInForce } from '@trainyard/organisations/server/gstin.ts'
import { selectTaxStatusOn, selectTaxedDay, type TaxStatus } from './queries.ts'

/** Returns the tax status in force on a day. @param day YYYY-MM-DD, or null for the supplier's current day */
export async function taxStatusOn(db: Db, id: OrganisationId, day: string | null = null): Promise<TaxStatus> {
  const { rows } = await selectTaxStatusOn(db, id, day)
  return rows[0]!
}

interface StatusChange extends TaxStatus {
  readonly organisation: OrganisationId
  /** YYYY-MM-DD, or null for the supplier's current day. */
  readonly from: string | null
  readonly reason: string
  readonly request?: TaxStatusRequestId
  /** E-mail of the superadmin. */
  readonly by: string
}

/**
 * Stores a tax status from a day on. The caller holds the organisation's lock for changes.
 * @throws Problem invalid if the status has no tax treatment; conflict if a document was issued after its first day
 */
export async function setTaxStatus(tx: Tx, { organisation, from, ...status }: StatusChange): Promise<void> {
  const problem = statusProblem(status.place, status.gstin)
  if (problem !== null) throw new Problem('invalid', problem)
  const { rows } = await selectTaxedDay(tx, organisation, from)
  const { day, number } = rows[0]!
  if (number !== null) {
    throw conflict(`${number} was issued after ${day} with the previous status. Choose a later day.`)
  }
  const row = { place: status.place, gstin: status.gstin, reason: status.reason, decided_by: status.by }
  await tx
    .insertInto('tax_status')
    .values({ organisation_id: organisation, valid_from: day, ...row, request_id: status.request ?? null })
    .onConflict((on) =>
      on
        .columns(['organisation_id', 'valid_from'])
        .doUpdateSet({ ...row, request_id: status.request ?? null, decided_at: sql`portal_now()` }),
    )
    .execute()
}

/**
 * Changes the given fields of the current status for a superadmin. Does nothing if no field differs.
 * @throws Problem forbidden if an admin changes the status
 */
export async function changePresentStatus(
  tx: Tx,
  actor: Actor,
  organisation: OrganisationId,
  changes: { readonly place?: CustomerPlace | undefined; readonly gstin?: string | null | undefined },
): Promise<void> {
  const current = await taxStatusOn(tx, organisation)
  const { place = current.place, gstin = current.gstin } = changes
  if (place === current.place && gstin === current.gstin) return
  if (actor.role !== 'superadmin') throw new Problem('forbidden', ADMIN_CANNOT_CHANGE_STATUS)
  await setTaxStatus(tx, { organisation, place, gstin, from: null, reason: 'Changed in the settings', by: actor.email })
}

/** Returns the GST number of the tax status that is in force. */
export const gstinOfStatus: AnswerTo<typeof gstinInForce> = async (db, organisation) => {
  const { gstin } = await taxStatusOn(db, organisation)
  return { gstin }
}

/** Changes the GST number of the tax status. */
export const changeGstinOfStatus: AnswerTo<typeof gstinChange> = async (tx, { actor, organisation, gstin }) => {
  await changePresentStatus(tx, actor, organisation, { gstin })
  return true
}
