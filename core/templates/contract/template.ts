import { z } from 'zod'
import { AZURE_NETWORK_PATTERN } from './azure-network.ts'
import { call } from '@trainyard/platform/contract/call.ts'
import { IMAGE_ID_LENGTH, isImageId, isPlanPart } from './image-id.ts'
import { DISK_SKUS, LICENCES, OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { ADDRESS_KINDS } from '@trainyard/platform/contract/words/network.ts'
import { azureTags, name, newName, rupees, storedDay, organisationName } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const

const text = z.string().max(200)
const requiredText = text.min(1, 'must not be empty')
const planPart = requiredText.refine(isPlanPart, 'must be letters, digits, dots, dashes and underscores')

/** If isOfficial is set (an Azure Marketplace image), the plan fields are required; otherwise they are rejected. */
export const templateForm = z
  .strictObject({
    name,
    rate: rupees.refine((amount) => amount >= 0 && amount <= 100_000, 'must be between 0 and 1,00,000 rupees'),
    resourceGroup: z.string().regex(/^[\w().-]{0,89}[\w()-]$/, 'must be a resource group name'),
    vmSize: z.string().regex(/^(Standard|Basic)_\w[\w-]{0,60}$/, 'must be a size such as Standard_D2s_v3'),
    imageId: z
      .string()
      .min(1, 'must not be empty')
      .max(IMAGE_ID_LENGTH)
      .refine(isImageId, 'must be publisher:offer:sku:version, or the resource id of an image'),
    location: z.string().regex(/^[a-z0-9]{2,40}$/, 'must be a region such as southindia'),
    os: z.enum(OPERATING_SYSTEMS),
    vnet: z
      .string()
      .regex(AZURE_NETWORK_PATTERN, 'must be a network name, or the resource ID of a virtual network or subnet'),
    licence: z.enum(LICENCES),
    /** Default: public address. */
    addressKind: z.enum(ADDRESS_KINDS).optional(),
    /** Name of the private network in which the portal reaches private addresses. */
    privateNetwork: name.optional(),
    isOfficial: z.boolean(),
    planPublisher: planPart.optional(),
    product: planPart.optional(),
    version: planPart.optional(),
    cpu: requiredText,
    memory: requiredText,
    storage: requiredText,
    disk: requiredText,
    tags: azureTags.optional(),
    diskSku: z.enum(DISK_SKUS).optional(),
    /** Resource ID. */
    diskEncryptionSet: z
      .string()
      .max(300)
      .regex(
        /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[\w().-]{1,90}\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[\w.-]{1,80}$/i,
        'must be the resource id of a disk encryption set',
      )
      .optional(),
    encryptionAtHost: z.boolean().optional(),
    bootDiagnostics: z.boolean().optional(),
  })
  .refine((form) => !form.isOfficial || (form.planPublisher && form.product && form.version), {
    error: 'must be given with product and version if isOfficial is selected',
    path: ['planPublisher'],
  })
  .refine((form) => form.isOfficial || !(form.planPublisher ?? form.product ?? form.version), {
    error: 'is allowed only with isOfficial',
    path: ['planPublisher'],
  })
  .refine((form) => form.os === 'Windows' || form.licence === 'none', {
    error: 'must be none unless os is Windows',
    path: ['licence'],
  })
  .refine((form) => (form.addressKind === 'private address') === (form.privateNetwork !== undefined), {
    error: 'must be given if addressKind is private address, and only then',
    path: ['privateNetwork'],
  })

const templateToEdit = z.object({
  name: z.string(),
  rate: z.number(),
  resourceGroup: z.string(),
  vmSize: z.string(),
  imageId: z.string(),
  location: z.string(),
  os: z.enum(OPERATING_SYSTEMS),
  vnet: z.string(),
  licence: z.enum(LICENCES),
  addressKind: z.enum(ADDRESS_KINDS),
  privateNetwork: z.string().optional(),
  isOfficial: z.boolean(),
  planPublisher: z.string().optional(),
  product: z.string().optional(),
  version: z.string().optional(),
  cpu: z.string(),
  memory: z.string(),
  storage: z.string(),
  disk: z.string(),
  tags: z.record(z.string(), z.string()),
  diskSku: z.enum(DISK_SKUS),
  diskEncryptionSet: z.string().optional(),
  encryptionAtHost: z.boolean(),
  bootDiagnostics: z.boolean(),
  revision: z.int(),
})

export const templateSchema = z.object({
  name: z.string().meta({ examples: ['Ubuntu 24.04 Standard'] }),
  /** Rupees per hour. In the list of an organisation, this is the price of that organisation. */
  rate: z.number().meta({ examples: [14] }),
  /** The organisation's next price, if a change is planned. */
  nextRate: z.object({ rate: z.number().meta({ examples: [15] }), from: storedDay }).optional(),
  display: z.object({
    cpu: z.string().meta({ examples: ['2 vCPU'] }),
    memory: z.string().meta({ examples: ['8 GB'] }),
    os: z.string().meta({ examples: ['Ubuntu 24.04'] }),
    storage: z.string().meta({ examples: ['30 GB'] }),
    disk: z.string().meta({ examples: ['Standard SSD'] }),
  }),
  creation: z.object({
    licence: z.enum(LICENCES).meta({ examples: ['none'] }),
    os: z.enum(OPERATING_SYSTEMS).meta({ examples: ['Linux'] }),
    vmSize: z.string().meta({ examples: ['Standard_D2s_v5'] }),
  }),
  /** Why the provider last refused to create a machine from this template; null if it did not. */
  refusal: z.string().nullable(),
})

export const template = {
  list: call({
    route: 'GET /admin/template',
    for: roles,
    does: 'Lists all templates, sorted by name.',
    reply: z.object({ templates: z.array(templateSchema) }),
  }),
  create: call({
    route: 'POST /admin/template',
    for: roles,
    does: 'Creates a template.',
    audit: 'created a template',
    body: templateForm.safeExtend({ name: newName }),
    once: true,
  }),
  read: call({
    route: 'GET /admin/template/form',
    for: roles,
    does: 'Returns the editable fields of a template.',
    query: z.strictObject({ template: name }),
    reply: templateToEdit,
  }),
  sizes: call({
    route: 'GET /admin/template/sizes',
    for: roles,
    does: 'Lists the sizes that a region offers to the subscription. Empty for a region that no template uses yet.',
    query: z.strictObject({ location: z.string().regex(/^[a-z0-9]{2,40}$/, 'must be a region such as southindia') }),
    reply: z.object({
      sizes: z.array(
        z.object({
          size: z.string(),
          cores: z.int(),
          memoryGb: z.number().nullable(),
          /**
           * Cores that the limits of the region and of the family of sizes still allow, or null if no limit is known.
           */
          coresLeft: z.int().nullable(),
          /** False if the provider does not let the subscription use the size there. */
          available: z.boolean(),
        }),
      ),
    }),
  }),
  edit: call({
    route: 'PATCH /admin/template',
    for: roles,
    does: 'Changes a template for future orders. The name identifies it and cannot change. 409 if it was changed concurrently.',
    audit: 'edited a template',
    body: templateForm.safeExtend({ revision: z.int('must be a whole number').min(1) }),
  }),
  remove: call({
    route: 'DELETE /admin/template',
    for: roles,
    does: 'Deletes a template. Machines created from it keep their configuration and price.',
    audit: 'deleted a template',
    body: z.strictObject({ template: name }),
  }),
  assigned: call({
    route: 'GET /admin/assignTemplate',
    for: roles,
    does: 'Lists which organisations can order from which templates.',
    reply: z.object({ assigned: z.array(z.object({ organization: z.string(), template: z.string() })) }),
  }),
  assign: call({
    route: 'POST /admin/assignTemplate',
    for: roles,
    does: 'Lets an organisation order from a template.',
    audit: 'assigned a template',
    body: z.strictObject({ organization: name, template: name }),
    once: true,
  }),
  unassign: call({
    route: 'DELETE /admin/assignTemplate',
    for: roles,
    does: 'Stops an organisation from ordering from a template. Its machines stay.',
    audit: 'unassigned a template',
    body: z.strictObject({ organization: name, template: name }),
  }),
  orderable: call({
    route: 'GET /azure/templates',
    for: ['admin', 'superadmin'],
    public: { scope: 'template:read', operation: 'listTemplates' },
    does: 'Lists the templates that an organisation can order from.',
    query: z.strictObject({ organization: organisationName }),
    reply: z.object({ templates: z.array(templateSchema) }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    template: typeof template
  }
}
