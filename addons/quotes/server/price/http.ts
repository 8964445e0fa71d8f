import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { price } from '../../contract/price.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { LICENCES, VM_SIZES } from '@trainyard/platform/contract/words/limits.ts'
import { formatRupees, type Paise, paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { type PriceKind, PRICES_MAX } from '../../contract/price-words.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { findTemplate } from '@trainyard/templates/server/find.ts'
import { lockOrganisation, organisationByName, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { applyToOrganisation } from './apply.ts'
import { upsertPrice, selectHasUsageToday, countPrices } from './queries.ts'

type Item = Pick<BodyOf<typeof price.set>, 'kind' | 'item'>

export const priceHandlers: HandlersOf<'price'> = {
  async list(db, { actor, query }) {
    const { id, name } = await organisationInScope(db, actor, query.organization)
    const today = await supplierToday(db)
    const prices = await db
      .selectFrom('customer_price')
      .select(['kind', 'item', 'valid_from', 'paise_per_hour', 'decided_by', 'decided_at'])
      .where('organisation_id', '=', id)
      .orderBy(sql`kind, lower(item), valid_from desc`)
      .limit(PRICES_MAX)
      .execute()
    return {
      organization: name,
      today,
      prices: prices.map((row, index) => {
        const later = prices[index - 1]
        const isReplaced =
          later?.kind === row.kind && later.item.toLowerCase() === row.item.toLowerCase() && later.valid_from <= today
        return {
          kind: row.kind,
          item: row.item,
          from: row.valid_from,
          paisePerHour: row.paise_per_hour,
          state: row.valid_from > today ? ('future' as const) : isReplaced ? ('past' as const) : ('in force' as const),
          by: row.decided_by,
          at: row.decided_at.toISOString(),
        }
      }),
      items: actor.role === 'superadmin' ? await pricedItems(db) : null,
    }
  },

  async set(tx, { actor, body: { organization, kind, from, rate, ...named }, auditChange }) {
    const { id, name } = await organisationByName(tx, organization)
    await lockOrganisation(tx, id, 'use')
    await lockPrices(tx, id, 'change')
    const item = await itemNamed(tx, { kind, item: named.item })
    const today = await supplierToday(tx)
    if (from < today) throw conflict('A price can begin today or later, because earlier usage keeps its price.')
    if (from === today && (await hasUsageToday(tx, id))) {
      throw conflict(`${name} has used machines today, at the current prices. Choose tomorrow or a later day.`)
    }
    const before = await priceOn(tx, id, { kind, item }, from)
    if (before?.valid_from === from && from === today) {
      throw conflict('A price of this item begins today and is in force. Choose tomorrow or a later day.')
    }
    const paise = rate === null ? null : paiseOfRupees(rate)
    if (paise === null && (before === null || before.paise_per_hour === null)) {
      throw conflict(`${name} has the general price of ${item} already.`)
    }
    await requireRoom(tx, id, name)
    await upsertPrice(tx, { id, kind, item, from, paise, email: actor.email })
    if (from === today) await applyToOrganisation(tx, id)
    auditChange(
      { kind, item, from: before?.valid_from ?? null, paisePerHour: before?.paise_per_hour ?? null },
      { kind, item, from, paisePerHour: paise },
    )
    const words = paise === null ? 'the general price' : `${formatRupees(rupeesOfPaise(paise))} per hour`
    return { message: `From ${from}, ${name} pays ${words} for ${item}.` }
  },

  async remove(tx, { body: { organization, kind, item, from }, auditChange }) {
    const { id, name } = await organisationByName(tx, organization)
    await lockOrganisation(tx, id, 'use')
    await lockPrices(tx, id, 'change')
    const before = await priceOn(tx, id, { kind, item }, from)
    if (before?.valid_from !== from) throw conflict(`${name} has no price of ${item} that begins on ${from}.`)
    if (from <= (await supplierToday(tx))) {
      throw conflict(
        'This price has been in force and stays in the list. Set another price from tomorrow or a later day.',
      )
    }
    await tx
      .deleteFrom('customer_price')
      .where('organisation_id', '=', id)
      .where('kind', '=', kind)
      .where('item', '=', before.item)
      .where('valid_from', '=', from)
      .execute()
    auditChange({ kind, item: before.item, from, paisePerHour: before.paise_per_hour }, null)
    return { message: `The price of ${before.item} from ${from} for ${name} is removed.` }
  },
}

async function pricedItems(db: Db) {
  const templates = await db
    .selectFrom('template')
    .select(['name as item', 'rate_paise as paisePerHour', 'size_name'])
    .orderBy(sql`lower(name)`)
    .execute()
  return {
    templates: templates.map(({ item, paisePerHour }) => ({ item, paisePerHour })),
    sizes: sizesOf(templates.map(({ size_name }) => size_name)),
    licences: LICENCES.filter((licence) => licence !== 'none'),
  }
}

/** Returns the sizes of the order form and of templates, each once regardless of its capitals. */
const sizesOf = (ofTemplates: readonly string[]): string[] =>
  [...new Map([...ofTemplates, ...VM_SIZES].map((size) => [size.toLowerCase(), size])).values()].toSorted()

/** Returns the item as templates spell it. @throws Problem notFound */
async function itemNamed(tx: Tx, { kind, item }: Item): Promise<string> {
  if (kind === 'template') return (await findTemplate(tx, item)).name
  const { licences, sizes } = await pricedItems(tx)
  const known = kind === 'licence' ? licences : sizes
  const found = known.find((one) => one.toLowerCase() === item.toLowerCase())
  if (found === undefined) throw notFound(kind === 'licence' ? 'licence' : 'size')
  return found
}

interface StoredPrice {
  readonly item: string
  readonly valid_from: string
  readonly paise_per_hour: Paise | null
}

/** Returns the price that is in force on a day, or null. */
async function priceOn(
  tx: Tx,
  organisation: OrganisationId,
  { kind, item }: { readonly kind: PriceKind; readonly item: string },
  day: string,
): Promise<StoredPrice | null> {
  const found = await tx
    .selectFrom('customer_price')
    .select(['item', 'valid_from', 'paise_per_hour'])
    .where('organisation_id', '=', organisation)
    .where('kind', '=', kind)
    .where(sql`lower(item)`, '=', item.toLowerCase())
    .where('valid_from', '<=', day)
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

async function hasUsageToday(tx: Tx, organisation: OrganisationId): Promise<boolean> {
  const { rows } = await selectHasUsageToday(tx, organisation)
  return rows[0]!.found
}

async function requireRoom(tx: Tx, organisation: OrganisationId, name: string): Promise<void> {
  const { rows } = await countPrices(tx, organisation)
  if (rows[0]!.count >= PRICES_MAX) throw conflict(`${name} already has ${PRICES_MAX} prices.`)
}
