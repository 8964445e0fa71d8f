import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { PRICE_KINDS } from './price-words.ts'
import { day, instant, name, rupees, storedDay } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const

const item = { organization: name, kind: z.enum(PRICE_KINDS), item: name, from: day } as const

export const price = {
  list: call({
    route: 'GET /admin/prices',
    for: ['admin', 'superadmin'],
    does: "Lists an organisation's own prices, by item and newest first. A price applies until the next one of its item begins.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      organization: z.string(),
      /** In the supplier's zone, which decides when a price begins. */
      today: storedDay,
      prices: z.array(
        z.object({
          kind: z.enum(PRICE_KINDS),
          item: z.string(),
          from: storedDay,
          /** Null if the general price applies again. */
          paisePerHour: z.int().nullable(),
          state: z.enum(['past', 'in force', 'future']),
          by: z.string(),
          at: instant,
        }),
      ),
      /** Items that can have a price, with their general price; null for an admin. Sizes and licences have none. */
      items: z
        .object({
          templates: z.array(z.object({ item: z.string(), paisePerHour: z.int() })),
          sizes: z.array(z.string()),
          licences: z.array(z.string()),
        })
        .nullable(),
    }),
  }),
  set: call({
    route: 'POST /admin/prices',
    for: roles,
    does: "Sets an organisation's price per hour for a template, a VM size or a licence, from the start of a day in the supplier's zone. Earlier usage keeps its price. 409 for a past day and for the current day once the organisation has usage.",
    audit: 'set a price of an organisation',
    body: z.strictObject({
      ...item,
      /** Rupees per hour, or null to apply the general price again. */
      rate: rupees
        .refine((amount) => amount >= 0 && amount <= 100_000, 'must be between 0 and 1,00,000 rupees')
        .nullable(),
    }),
    once: true,
  }),
  remove: call({
    route: 'POST /admin/prices/remove',
    for: roles,
    does: 'Removes a price that has not begun.',
    audit: 'removed a future price of an organisation',
    body: z.strictObject(item),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    price: typeof price
  }
}
