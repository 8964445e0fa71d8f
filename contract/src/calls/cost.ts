import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  COST_FILES,
  COST_FILES_BYTES,
  COST_PART_BYTES,
  COST_PROVIDERS,
  type CostOwner,
  IMPORT_STATES,
} from '../words/cost.ts'
import { instant, message, month, name } from './shapes.ts'

const roles = ['superadmin'] as const

const importId = z.uuid('must be the id of an import')
const provider = z.enum(COST_PROVIDERS)

/** Sums by currency, in hundredths: amounts of two currencies are never added up. */
const money = z.array(z.object({ currency: z.string(), hundredths: z.int() }))

const owner = z.enum(['training', 'sandboxes', 'shared', 'account', 'unclaimed'] satisfies CostOwner[])

const costImport = z.object({
  _id: z.uuid(),
  files: z.array(z.string()),
  state: z.enum(IMPORT_STATES),
  madeBy: z.string(),
  madeAt: instant,
  endedAt: instant.nullable(),
  /** Percent of the parts that have come, while it is received. */
  received: z.int(),
  linesRead: z.int(),
  lineCount: z.int(),
  /** Of its lines those that stand: a later export of the same month takes their place. */
  counting: z.int(),
  badCount: z.int(),
  /** The first hundred that can't be read. */
  badLines: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
  format: z.string().nullable(),
  summary: z
    .object({
      days: z.tuple([z.string(), z.string()]),
      total: money,
      /** Lines of earlier imports that it took the place of, and those that it held twice. */
      replaced: z.int(),
      doubled: z.int(),
      amortised: z.boolean(),
    })
    .nullable(),
  refusal: z.string().nullable(),
})
export type CostImport = z.output<typeof costImport>

const resource = z.object({
  provider,
  /** The provider's id; null: an orphan that no bill names yet. */
  resource: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  resourceGroup: z.string().nullable(),
  /** The value of our tag on it; null: it carries none, and the portal never deletes it. */
  tag: z.string().nullable(),
  cost: money,
  /** The mean of the last days that are billed, seven at most. */
  costADay: money,
  lastDay: z.string().nullable(),
})

const orphan = z.object({
  resourceGroup: z.string(),
  name: z.string(),
  tag: z.string().nullable(),
  since: instant,
  /** Of the machine with all that carries its tag; empty: no bill names it yet. */
  costADay: money,
  adoptedBy: z.object({ organization: z.string(), trainingName: z.string().nullable() }).nullable(),
  deletion: z.object({ by: z.string(), at: instant, error: z.string().nullable() }).nullable(),
})
export type Orphan = z.output<typeof orphan>

/** A thing whose cost is adopted: all that carries a tag, or one resource. */
const adopted = z.strictObject({
  provider,
  of: z.enum(['tag', 'resource']),
  value: z.string().min(1, 'must not be empty').max(2_000),
})

/** Providers' bills, held against what was charged. */
export const cost = {
  imports: defineCall({
    method: 'GET',
    path: '/admin/costs/imports',
    roles,
    summary:
      "The newest imports of providers' cost exports, with how far each is and the lines that could not be read.",
    reply: z.object({ imports: z.array(costImport) }),
  }),
  begin: defineCall({
    method: 'POST',
    path: '/admin/costs/imports',
    roles,
    summary: 'Begins an import of the files of one cost export, CSV or gzip of it; its parts are sent next.',
    body: z.strictObject({
      files: z
        .array(z.strictObject({ name, bytes: z.int().min(1, 'must not be empty') }))
        .min(1, 'must name at least one file')
        .max(COST_FILES, `must be at most ${COST_FILES} files`)
        .refine(
          (files) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= COST_FILES_BYTES,
          `must be at most ${COST_FILES_BYTES / 1024 / 1024} MB together; compress them with gzip`,
        ),
      /** Takes the rest where lines can't be read; else one such line refuses all. */
      leaveOutBad: z.boolean(),
    }),
    reply: message.extend({ _id: z.uuid(), partBytes: z.int() }),
    creates: true,
  }),
  send: defineCall({
    method: 'POST',
    path: '/admin/costs/imports/part',
    roles,
    summary: 'Sends one part of a file, in base64; with the last of them the import begins. A part may be sent again.',
    body: z.strictObject({
      _id: importId,
      file: z.int().min(0).max(COST_FILES),
      place: z
        .int()
        .min(0)
        .max(Math.ceil(COST_FILES_BYTES / COST_PART_BYTES)),
      bytes: z
        .string()
        .min(1, 'must not be empty')
        .max(Math.ceil(COST_PART_BYTES / 3) * 4, `must be at most ${COST_PART_BYTES} bytes`)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'),
    }),
    reply: message.extend({ missing: z.int() }),
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/costs/imports',
    roles,
    summary: 'Takes an import back: its lines that stand are no part of any figure any more.',
    body: z.strictObject({ _id: importId }),
    reply: message,
  }),
  month: defineCall({
    method: 'GET',
    path: '/admin/costs',
    roles,
    summary:
      'A month of UTC as the providers billed it: what each training was charged and what it cost, and what nobody claims.',
    query: z.strictObject({ month: month.optional() }),
    reply: z.object({
      /** Months with lines, newest first. */
      months: z.array(z.string()),
      month: z.string().nullable(),
      /** The last day that is billed: charges are counted to its end. */
      throughDay: z.string().nullable(),
      /** Providers still bring lines of its days. */
      open: z.boolean(),
      amortised: z.boolean(),
      chargedPaise: z.int(),
      cost: money,
      unclaimed: money,
      rows: z.array(
        z.object({
          owner,
          organization: z.string().nullable(),
          trainingName: z.string().nullable(),
          /** null: nothing is charged for it. */
          chargedPaise: z.int().nullable(),
          cost: money,
          /** null: its cost is in another currency than the charges, or nothing is charged for it. */
          marginPaise: z.int().nullable(),
        }),
      ),
    }),
  }),
  unclaimed: defineCall({
    method: 'GET',
    path: '/admin/costs/unclaimed',
    roles,
    summary: 'The resources of a month that no row of the portal claims, the dearest first, two hundred at most.',
    query: z.strictObject({ month }),
    reply: z.object({ count: z.int(), resources: z.array(resource) }),
  }),
  orphans: defineCall({
    method: 'GET',
    path: '/admin/orphans',
    roles,
    summary: 'Machines at the provider that carry our tag and have no row, with their cost a day.',
    reply: z.object({ orphans: z.array(orphan) }),
  }),
  adopt: defineCall({
    method: 'POST',
    path: '/admin/costs/adoption',
    roles,
    summary: "Makes the cost of a tag or a resource that nobody claims an organisation's, or one of its trainings'.",
    body: adopted.extend({ organization: name, trainingName: name.optional() }),
    reply: message,
  }),
  release: defineCall({
    method: 'DELETE',
    path: '/admin/costs/adoption',
    roles,
    summary: 'Takes an adoption back.',
    body: adopted,
    reply: message,
  }),
  deleteOrphan: defineCall({
    method: 'POST',
    path: '/admin/orphans/deletion',
    roles,
    summary: 'Deletes an orphan at the provider with all that carries its tag. Its name is said twice.',
    body: z.strictObject({
      resourceGroup: z.string().min(1).max(90),
      name: z.string().min(1).max(64),
      confirm: z.string().max(64),
    }),
    reply: message,
  }),
}
