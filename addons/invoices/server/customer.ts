import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { pinProblem } from '@trainyard/organisations/contract/gst.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { PRINTABLE_PATTERN } from '@trainyard/ledger/contract/tax-document.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { dayOrToday, taxStatusOn } from './queries.ts'
import { changePresentStatus } from './tax-status.ts'

export type BillingSettings = ReplyOf<typeof invoice.customer>
type Changes = Omit<BodyOf<typeof invoice.changeCustomer>, 'organization'>

export interface Customer extends BillingSettings {
  readonly id: OrganisationId
  readonly name: string
  readonly gst: string | null
}

/**
 * Returns all customers, or the given one, including deleted organisations.
 * @param day of the tax status, YYYY-MM-DD; null for the supplier's current day
 */
export async function customers(db: Db, id?: OrganisationId, day: string | null = null): Promise<Customer[]> {
  const rows = await db
    .selectFrom('organisation')
    .leftJoin('organisation_billing as billing', 'billing.organisation_id', 'organisation.id')
    .innerJoinLateral(taxStatusOn(sql`organisation.id`, dayOrToday(day)).as('status'), (join) => join.onTrue())
    .select(['organisation.id', 'organisation.name', 'status.place', 'status.gstin'])
    .select(['legal_name', 'address_line1', 'address_line2', 'city', 'pin', 'state', 'country', 'emails'])
    .select(['purchase_order', 'cost_centre', 'list_learners'])
    .$if(id !== undefined, (query) => query.where('organisation.id', '=', id!))
    .orderBy('organisation.name')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    gst: row.gstin,
    legalName: row.legal_name,
    place: row.place,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    pin: row.pin,
    state: row.state,
    country: row.country,
    emails: row.emails ?? [],
    purchaseOrder: row.purchase_order,
    costCentre: row.cost_centre,
    listLearners: row.list_learners ?? false,
  }))
}

export const customerOf = async (db: Db, id: OrganisationId): Promise<Customer> => (await customers(db, id))[0]!

export const billingOf = ({ id: _id, name: _name, gst: _gst, ...billing }: Customer): BillingSettings => billing

/**
 * Changes a customer. The caller must hold the organisation's lock.
 * @throws Problem forbidden if an admin changes the place, or invalid for a PIN code of another state
 */
export async function changeCustomer(tx: Tx, actor: Actor, id: OrganisationId, changes: Changes): Promise<void> {
  const { place, pin, state } = { ...(await customerOf(tx, id)), ...changes }
  const isAddressChanged = changes.pin !== undefined || changes.state !== undefined
  const problem = isAddressChanged && place !== 'abroad' ? pinProblem(pin, state) : null
  if (problem !== null) throw new Problem('invalid', problem)
  if (changes.place !== undefined) await changePresentStatus(tx, actor, id, { place: changes.place })
  const set = {
    legal_name: changes.legalName,
    address_line1: changes.addressLine1,
    address_line2: changes.addressLine2,
    city: changes.city,
    pin: changes.pin,
    state: changes.state,
    country: changes.country,
    emails: changes.emails && [...new Set(changes.emails)],
    purchase_order: changes.purchaseOrder,
    cost_centre: changes.costCentre,
    list_learners: changes.listLearners,
  }
  await tx
    .insertInto('organisation_billing')
    .values({ organisation_id: id })
    .onConflict((on) => on.doNothing())
    .execute()
  if (Object.values(set).every((value) => value === undefined)) return
  await tx.updateTable('organisation_billing').set(set).where('organisation_id', '=', id).execute()
}

export const legalNameOf = ({ legalName, name }: Customer): string => legalName ?? name

export function customerProblems(customer: Customer): string[] {
  const { place, gst, state, pin, country, addressLine1, city } = customer
  const missing = [
    ...(addressLine1 === null ? ['address'] : []),
    ...(city === null ? ['city'] : []),
    ...(place !== 'abroad' && pin === null ? ['PIN code'] : []),
    ...(place !== 'abroad' && state === null ? ['state'] : []),
    ...(place === 'abroad' && country === null ? ['country'] : []),
    ...(place === 'sez' && gst === null ? ['GST number (required for a customer in an SEZ)'] : []),
  ]
  const name = legalNameOf(customer)
  return [
    ...(missing.length === 0
      ? []
      : [`Still missing in the billing settings of ${customer.name}: ${missing.join(', ')}.`]),
    ...(name.length < 3 || !PRINTABLE_PATTERN.test(name)
      ? ['The name cannot be printed. Set a legal name of at least 3 characters in Latin or an Indian script.']
      : []),
    ...(place !== 'abroad' && gst !== null && state !== null && !gst.startsWith('99') && !gst.startsWith(state)
      ? ['The state of the GST number differs from the state of the address.']
      : []),
    ...(place === 'abroad' && gst !== null ? ['A customer abroad cannot have a GST number.'] : []),
  ]
}
