import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  COST_FILES,
  COST_FILES_BYTES,
  COST_PART_BYTES,
  COST_PROVIDERS,
  type CostOwner,
  IMPORT_STATES,
} from './cost-words.ts'
import { instant, message, month, name, selectedOrganisation } from '@trainyard/platform/contract/shapes.ts'

/** A bill has up to some hundred parts and takes a worker about a minute. */
const bills: Limit = { name: 'bills', per: 'person', max: 60, seconds: HOUR }

const roles = ['superadmin'] as const

const importId = z.uuid('must be the id of an import')
const provider = z.enum(COST_PROVIDERS)

/** Amounts, each in a different currency. */
const money = z.array(z.object({ currency: z.string(), hundredths: z.int() }))

const owner = z.enum(['training', 'sandboxes', 'shared', 'account', 'unclaimed'] satisfies CostOwner[])

const costImport = z.object({
  _id: z.uuid(),
  files: z.array(z.string()),
  state: z.enum(IMPORT_STATES),
  madeBy: z.string(),
  madeAt: instant,
  endedAt: instant.nullable(),
  received: z.int(),
  linesRead: z.int(),
  lineCount: z.int(),
  /**
   * Number of lines that contribute to the costs. Lines that a later export of the same month replaced are not
   * included.
   */
  counting: z.int(),
  badCount: z.int(),
  badLines: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
  format: z.string().nullable(),
  summary: z
    .object({
      days: z.tuple([z.string(), z.string()]),
      /** Without tax. */
      total: money,
      /** Tax on the bill. Absent from imports of older versions, whose total includes it. */
      tax: money.optional(),
      /** Number of lines of earlier imports that this import replaced. */
      replaced: z.int(),
      /** Number of duplicate lines within this import. */
      doubled: z.int(),
      amortised: z.boolean(),
      /** Numbers of lines; `read` is the sum of the others. Absent from imports of older versions. */
      counts: z
        .object({
          read: z.int(),
          /** Lines that belong to a training, to sandboxes or to the whole account. */
          matched: z.int(),
          unmatched: z.int(),
          leftOut: z.object({ doubled: z.int(), unreadable: z.int(), aboveHeader: z.int() }),
        })
        .optional(),
    })
    .nullable(),
  refusal: z.string().nullable(),
})
export type CostImport = z.output<typeof costImport>

const resource = z.object({
  provider,
  resource: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  resourceGroup: z.string().nullable(),
  /** The portal never deletes untagged resources. */
  tag: z.string().nullable(),
  cost: money,
  /** Mean of the last billed days, at most seven. */
  costADay: money,
  lastDay: z.string().nullable(),
})

const orphan = z.object({
  resourceGroup: z.string(),
  name: z.string(),
  tag: z.string().nullable(),
  since: instant,
  costADay: money,
  adoptedBy: z.object({ organization: z.string(), trainingName: z.string().nullable() }).nullable(),
  deletion: z.object({ by: z.string(), at: instant, error: z.string().nullable() }).nullable(),
})
export type Orphan = z.output<typeof orphan>

const adoptionTarget = z.strictObject({
  provider,
  of: z.enum(['tag', 'resource']),
  value: z.string().min(1, 'must not be empty').max(2_000),
})

export const cost = {
  imports: call({
    route: 'GET /admin/costs/imports',
    for: roles,
    does: 'Lists the newest imports of provider bills with their progress and unreadable lines.',
    reply: z.object({ imports: z.array(costImport) }),
  }),
  begin: call({
    route: 'POST /admin/costs/imports',
    for: roles,
    does: 'Creates an import for the files of one cost export (CSV, optionally compressed with gzip). Upload the parts next.',
    audit: 'started to import a provider’s bill',
    limit: bills,
    body: z.strictObject({
      files: z
        .array(z.strictObject({ name, bytes: z.int().min(1, 'must not be empty') }))
        .min(1, 'must name at least one file')
        .max(COST_FILES, `must be at most ${COST_FILES} files`)
        .refine(
          (files) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= COST_FILES_BYTES,
          `must be at most ${COST_FILES_BYTES / 1024 / 1024} MB together; compress them with gzip`,
        ),
      /** True to skip unreadable lines. If false, one unreadable line fails the whole import. */
      leaveOutBad: z.boolean(),
    }),
    reply: message.extend({ _id: z.uuid(), partBytes: z.int() }),
    once: true,
  }),
  send: call({
    route: 'POST /admin/costs/imports/part',
    for: roles,
    does: 'Uploads one part of a file in base64. The import starts after the last part. Parts can be sent again.',
    audit: 'uploaded a part of a provider’s bill',
    size: 'document',
    body: z.strictObject({
      _id: importId,
      /** Index of the file in the list given when the import was created. */
      file: z.int().min(0).max(COST_FILES),
      /** Index of the part in the file. */
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
  remove: call({
    route: 'DELETE /admin/costs/imports',
    for: roles,
    does: 'Removes an import. Its lines no longer count.',
    audit: 'removed an imported bill',
    body: z.strictObject({ _id: importId }),
  }),
  month: call({
    route: 'GET /admin/costs',
    for: roles,
    does: 'Returns the charges and the cost per training, and the unclaimed cost, of a UTC month as billed by the providers.',
    query: z.strictObject({ month: month.optional() }),
    reply: z.object({
      months: z.array(z.string()),
      month: z.string().nullable(),
      /** Last billed day. Charges are counted up to its end. */
      throughDay: z.string().nullable(),
      /** True while the provider's bill of the month is incomplete or can still change. */
      open: z.boolean(),
      amortised: z.boolean(),
      chargedPaise: z.int(),
      /** Without tax, like all costs of a month. */
      cost: money,
      /** Tax on the bills. GST in it is input tax, which is not a cost. */
      tax: money,
      unclaimed: money,
      rows: z.array(
        z.object({
          owner,
          organization: z.string().nullable(),
          trainingName: z.string().nullable(),
          chargedPaise: z.int().nullable(),
          cost: money,
          /** null if nothing is charged, or if cost and charges are in different currencies. */
          marginPaise: z.int().nullable(),
        }),
      ),
    }),
  }),
  unclaimed: call({
    route: 'GET /admin/costs/unclaimed',
    for: roles,
    does: 'Lists billed resources of a month that do not belong to any row of the portal, most expensive first, at most 200.',
    query: z.strictObject({ month }),
    reply: z.object({ count: z.int(), resources: z.array(resource) }),
  }),
  orphans: call({
    route: 'GET /admin/orphans',
    for: roles,
    does: "Lists orphans (machines at the provider with the portal's tag but without a row) and their cost per day.",
    reply: z.object({ orphans: z.array(orphan) }),
  }),
  adopt: call({
    route: 'POST /admin/costs/adoption',
    for: roles,
    does: 'Assigns the unclaimed cost of a tag or a resource to an organisation or one of its trainings.',
    audit: 'adopted an unclaimed cost',
    body: adoptionTarget.extend({ organization: selectedOrganisation, trainingName: name.optional() }),
  }),
  release: call({
    route: 'DELETE /admin/costs/adoption',
    for: roles,
    does: 'Removes the assignment of an adopted cost.',
    audit: 'released an adopted cost',
    body: adoptionTarget,
  }),
  deleteOrphan: call({
    route: 'POST /admin/orphans/deletion',
    for: roles,
    does: 'Deletes an orphan and all resources with its tag at the provider. The name must be repeated in `confirm`.',
    audit: 'requested the deletion of an orphan',
    body: z.strictObject({
      resourceGroup: z.string().min(1).max(90),
      name: z.string().min(1).max(64),
      confirm: z.string().max(64),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const costActions = {
  'cost.import': 'imported a provider’s bill',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    cost: typeof cost
  }
}
