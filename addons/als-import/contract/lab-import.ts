import * as limits from '@trainyard/platform/contract/limits.ts'
import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { orders } from '@trainyard/machines/contract/machine.ts'
import { z } from 'zod'
import { AZURE_NETWORK_PATTERN } from '@trainyard/templates/contract/azure-network.ts'
import { call, MEGABYTE } from '@trainyard/platform/contract/call.ts'
import { IMPORT_ITEMS, IMPORT_STATES, LAB_FILE_CHARACTERS, LAB_FILES_MAX, LABS_PER_APPLY } from './lab-import-words.ts'
import { OPERATING_SYSTEMS, VM_SIZES } from '@trainyard/platform/contract/words/limits.ts'
import {
  dayOrElse,
  enteredName,
  instant,
  message,
  name,
  newName,
  rupees,
  timeOfDay,
} from '@trainyard/platform/contract/shapes.ts'

/** Each reading makes several calls to Azure per lab, and files are parsed at once. */
const labImports: Limit = { name: 'lab-imports', per: 'organisation', max: 60, seconds: HOUR }

const admins = ['admin', 'superadmin'] as const
const importId = z.uuid('must be the id of an import')
const labId = z.uuid('must be the id of a lab')
const inOrganisation = z.strictObject({ organization: name.optional() })
const azureId = z.guid('must be an ID such as 1a2b3c4d-0000-4000-8000-1234567890ab').toLowerCase()

const item = z.object({
  /** Identifies the item in the lab. The user's ticks refer to it. */
  id: z.string(),
  kind: z.enum(IMPORT_ITEMS),
  name: z.string(),
  state: z.enum(IMPORT_STATES),
  /** Value in the portal, or null if there is none. */
  from: z.string().nullable(),
  /** Value after the import, or null if there is none. */
  to: z.string().nullable(),
  reason: z.string().nullable(),
  /** Advice for the user. */
  todo: z.string().nullable(),
})
export type ImportItem = z.output<typeof item>

const counts = z.partialRecord(z.enum(IMPORT_STATES), z.int())

const lab = z.object({
  _id: z.uuid(),
  importId: z.uuid(),
  resourceId: z.string(),
  title: z.string(),
  size: z.string(),
  machines: z.int(),
  learners: z.int(),
  schedules: z.int(),
  trainingName: z.string(),
  /** Name of the template, or null if none was found. */
  template: z.string().nullable(),
  /** True if the user has not chosen the template. */
  isProposed: z.boolean(),
  usageComesAlong: z.boolean(),
  counts,
  /** True if an earlier reading found the lab and the last reading did not. */
  isMissing: z.boolean(),
  importedAt: instant.nullable(),
  movedAt: instant.nullable(),
  classAt: instant.nullable(),
})
export type ImportedLab = z.output<typeof lab>

const labImportShape = z.object({
  _id: z.uuid(),
  kind: z.enum(['azure', 'files']),
  /** Subscription ID or file names. */
  name: z.string(),
  /** True while labs are being read. */
  isReading: z.boolean(),
  labsFound: z.int(),
  labsRead: z.int(),
  /** Lab accounts, which preceded lab plans. The import cannot read them. */
  accountsFound: z.int(),
  error: z.string().nullable(),
  readAt: instant.nullable(),
  madeBy: z.string(),
  madeAt: instant,
  hasSecret: z.boolean(),
})
export type LabImport = z.output<typeof labImportShape>

export const labImport = {
  list: call({
    route: 'GET /labImports',
    for: admins,
    does: "Lists an organisation's imports from Azure Lab Services, and their labs with what an import would do.",
    query: inOrganisation,
    reply: z.object({
      imports: z.array(labImportShape),
      labs: z.array(lab),
      templates: z.array(z.object({ name: z.string(), os: z.enum(OPERATING_SYSTEMS) })),
    }),
  }),
  connect: call({
    route: 'POST /labImports',
    for: admins,
    does: 'Starts reading the labs of an Azure subscription, with an app registration or, for a superadmin, with that of the portal.',
    audit: 'started an import from Azure Lab Services',
    limit: labImports,
    body: inOrganisation.extend({
      subscriptionId: azureId,
      /**
       * Stored encrypted until the import is deleted. If null, the portal's own credentials are used, which only
       * superadmins may choose.
       */
      principal: z
        .strictObject({
          tenantId: azureId,
          clientId: azureId,
          clientSecret: z.string().min(1, 'Enter the client secret.').max(500),
        })
        .nullable(),
    }),
    reply: message.extend({ _id: z.uuid() }),
    once: true,
  }),
  upload: call({
    route: 'POST /labImports/files',
    for: admins,
    does: "Reads lab admins' CSV files: a lab list, schedule lists and e-mail lists. Files with problems are refused.",
    audit: 'uploaded files of labs',
    limit: labImports,
    size: 'document',
    body: inOrganisation.extend({
      files: z
        .array(
          z.strictObject({
            name,
            /** Left out of the audit, because these files contain passwords. */
            csv: z.string().max(LAB_FILE_CHARACTERS, `must be at most ${LAB_FILE_CHARACTERS} characters`),
          }),
        )
        .min(1, 'must have at least one file')
        .max(LAB_FILES_MAX, `must be at most ${LAB_FILES_MAX} files`),
    }),
    reply: message.extend({
      _id: z.uuid().nullable(),
      problems: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
    }),
    once: true,
  }),
  refresh: call({
    route: 'POST /labImports/refresh',
    for: admins,
    does: 'Reads the labs of an import again.',
    audit: 'read the labs of an import again',
    limit: labImports,
    body: z.strictObject({ _id: importId }),
  }),
  remove: call({
    route: 'DELETE /labImports',
    for: admins,
    does: 'Deletes an import with its credentials and its readings. Trainings that it made stay.',
    audit: 'deleted an import of labs',
    body: z.strictObject({ _id: importId }),
  }),
  plan: call({
    route: 'GET /labImports/plan',
    for: admins,
    does: 'Dry run: lists what importing a lab would create, change and leave, with reasons. Changes nothing.',
    query: z.strictObject({ lab: labId }),
    reply: z.object({
      lab,
      items: z.array(item),
      /** Form values of a new template for the lab's size and image. */
      newTemplate: z.object({
        name: z.string(),
        vmSize: z.enum(VM_SIZES),
        os: z.enum(OPERATING_SYSTEMS),
        imageId: z.string(),
        location: z.string(),
      }),
    }),
  }),
  choose: call({
    route: 'PATCH /labImports/lab',
    for: admins,
    does: 'Sets the training name, the template, and whether used hours come along, for a lab before its cut-over.',
    audit: 'chose how a lab is imported',
    body: z.strictObject({
      lab: labId,
      trainingName: newName.optional(),
      template: name.optional(),
      usageComesAlong: z.boolean().optional(),
    }),
  }),
  makeTemplate: call({
    route: 'POST /labImports/template',
    for: ['superadmin'],
    does: "Creates a template for a lab's size and image, assigns it to the organisation, and chooses it.",
    audit: 'created a template for a lab',
    body: z.strictObject({
      lab: labId,
      name: enteredName,
      rate: rupees.refine((amount) => amount >= 0 && amount <= 100_000, 'must be between 0 and 1,00,000 rupees'),
      resourceGroup: z.string().regex(/^[\w().-]{0,89}[\w()-]$/, 'must be a resource group name'),
      vnet: z
        .string()
        .regex(AZURE_NETWORK_PATTERN, 'must be a network name, or the resource ID of a virtual network or subnet'),
      /**
       * Name of the private network in which the machines have private addresses. If omitted, they have public
       * addresses.
       */
      privateNetwork: name.optional(),
      imageId: z.string().min(1, 'Enter an image.').max(600),
    }),
    once: true,
  }),
  apply: call({
    route: 'POST /labImports/apply',
    for: admins,
    does: 'Imports labs: creates or changes their trainings, schedules and idle stops. Learners are invited only by the cut-over.',
    audit: 'imported labs',
    size: { bytes: MEGABYTE, values: 10_000 },
    body: z.strictObject({
      labs: z
        .array(z.strictObject({ lab: labId, ticked: z.array(z.string().max(300)).max(1_000) }))
        .min(1, 'must name at least one lab')
        .max(LABS_PER_APPLY, `must be at most ${LABS_PER_APPLY} labs`),
    }),
  }),
  cutOver: call({
    route: 'POST /labImports/cutOver',
    for: admins,
    does: "Orders a lab's machines, ready at a time, invites its learners with that date, and marks the lab as moved.",
    audit: 'moved a lab from Azure Lab Services',
    limit: orders,
    body: z.strictObject({
      lab: labId,
      readyBy: z.strictObject({ date: dayOrElse('Choose the day of the first class.'), time: timeOfDay }),
      guacamole: z.boolean(),
    }),
    once: true,
  }),
  rollBack: call({
    route: 'POST /labImports/rollBack',
    for: admins,
    does: 'Removes the unused parts that the import of a lab made. The rest stays and is named.',
    audit: 'rolled back the import of a lab',
    body: z.strictObject({ lab: labId }),
    reply: message.extend({ stays: z.array(z.string()) }),
  }),
  report: call({
    route: 'POST /labImports/report',
    for: admins,
    does: 'Returns the report of a lab: what moved, what differs and what was left behind.',
    audit: 'downloaded the report of a lab',
    limit: limits.documents,
    body: z.strictObject({ lab: labId, format: z.enum(['csv', 'pdf']) }),
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    labImport: typeof labImport
  }
}
