import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OfferingPlace } from '@trainyard/templates/server/queries.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { selectIsClosed, selectAddressLimit, selectOffer, selectOffered, type Offer } from './queries.ts'

/**
 * Checks an order against the stored offers. Without stored offers the order passes.
 * @throws Problem conflict with a message that says what to do
 */
export async function preflight(tx: Tx, template: TemplateRow, machines: number): Promise<void> {
  const { location, size_name: size } = template
  const { rows } = await selectOffered(tx, template)
  const { isKnown, refusal } = rows[0]!
  if (isKnown) {
    if (await isClosed(tx, template)) {
      throw conflict(
        `The cloud does not let this portal use ${location}. Choose a template in another location, or ask the portal's operator to have the location opened.`,
      )
    }
    const offer = await offerOf(tx, template, size)
    if (offer === null || offer.withheld !== null) {
      throw conflict(`${size} is not available in ${location}. Choose a template with a different size.`)
    }
    const available = offer.left === null ? machines : Math.max(0, Math.floor(offer.left / offer.cores))
    if (available < machines) {
      const capacityText =
        available === 0 ? 'no more VMs' : available === 1 ? 'only 1 more VM' : `only ${available} more VMs`
      throw conflict(
        `The cloud has room for ${capacityText} of ${size} in ${location}. Order fewer VMs, or ask the portal's operator to raise the limit.`,
      )
    }
  }
  if (template.address_kind === 'public address') await refuseOverAddressLimit(tx, template, machines)
  if (refusal !== null) throw conflict(refusal)
}

/**
 * Returns true if the provider restricts every size of the location. A single restricted size does not mean that the
 * location is closed.
 */
async function isClosed(tx: Tx, at: OfferingPlace): Promise<boolean> {
  const { rows } = await selectIsClosed(tx, at)
  return rows[0]?.closed === true
}

/**
 * Refuses an order above the address limit. Counts machines that have no address yet, because an order may follow
 * another order within a second.
 */
async function refuseOverAddressLimit(tx: Tx, at: OfferingPlace, machines: number): Promise<void> {
  const { rows } = await selectAddressLimit(tx, at)
  const [limit] = rows
  if (limit === undefined || limit.left >= machines) return
  throw conflict(
    `The cloud allows ${limit.allowed} public addresses in ${at.location}, of which ${Math.max(0, limit.left)} are free. Order fewer VMs, choose a template with a private network, or ask the portal's operator to raise the limit.`,
  )
}

async function offerOf(tx: Tx, at: OfferingPlace, size: string): Promise<Offer | null> {
  const { rows } = await selectOffer(tx, at, size)
  return rows[0] ?? null
}
