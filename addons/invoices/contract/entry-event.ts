import { z } from 'zod'
import { common, published } from '@trainyard/platform/contract/published.ts'

const entryData = z.strictObject({
  ...common,
  /** Number of the invoice, credit note, payment or refund. */
  number: z.string(),
  /** In paise. Negative for a correction. */
  amountPaise: z.int(),
  date: z.iso.date(),
  /** Number of the document or payment to which the entry refers, or null if there is none. */
  refersTo: z.string().nullable(),
})

export const entryEvents = {
  'invoice.issued': published('An invoice was issued', entryData),
  'invoice.credited': published('A credit note was issued', entryData),
  'invoice.reversed': published('An invoice was reversed', entryData),
  'payment.received': published('A payment was received', entryData),
  'payment.refunded': published('A payment was refunded', entryData),
  'payment.reversed': published('A payment was reversed', entryData),
}
