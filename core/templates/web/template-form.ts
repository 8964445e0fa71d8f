import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { formatTags, tagsIn } from '@trainyard/platform/contract/words/azure-tags.ts'
import { DISK_SKUS, LICENCES, OPERATING_SYSTEMS, VM_SIZES } from '@trainyard/platform/contract/words/limits.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'

export const TEXTS = {
  name: 'Template Name',
  rate: 'Rate (rupees an hour)',
  resourceGroup: 'Resource Group',
  imageId: 'Image ID',
  location: 'Location',
  vnet: 'VNet',
  cpu: 'CPU',
  memory: 'Memory',
  storage: 'Storage',
  disk: 'Disk',
} as const
/** Text fields of official images only. */
export const PLAN_TEXTS = { planPublisher: 'Plan Publisher', product: 'Product', version: 'Version' } as const

/** Optional text fields for subscriptions with policies. */
export const AZURE_TEXTS = { tags: 'Azure Tags', diskEncryptionSet: 'Disk Encryption Set' } as const

export type TextField = keyof typeof TEXTS | keyof typeof PLAN_TEXTS | keyof typeof AZURE_TEXTS
type Texts = Record<TextField, string>
export type NewTemplate = BodyOf<typeof template.create>
export type TemplateToEdit = ReplyOf<typeof template.read>
/** `privateNetwork`: its name; '': the machines have public addresses. */
type Choices = Required<
  Pick<NewTemplate, 'vmSize' | 'os' | 'licence' | 'isOfficial' | 'diskSku' | 'encryptionAtHost' | 'bootDiagnostics'>
> & { readonly privateNetwork: string }

export type EnteredTemplate = Texts & Choices

export const EMPTY_TEMPLATE: EnteredTemplate = {
  name: '',
  rate: '',
  resourceGroup: '',
  imageId: '',
  location: '',
  vnet: '',
  cpu: '',
  memory: '',
  storage: '',
  disk: '',
  planPublisher: '',
  product: '',
  version: '',
  tags: '',
  diskEncryptionSet: '',
  vmSize: VM_SIZES[0],
  os: OPERATING_SYSTEMS[0],
  licence: LICENCES[1],
  isOfficial: false,
  privateNetwork: '',
  diskSku: DISK_SKUS[0],
  encryptionAtHost: false,
  bootDiagnostics: false,
}

export function filledForm({
  revision: _revision,
  addressKind: _addressKind,
  tags,
  ...card
}: TemplateToEdit): EnteredTemplate {
  const { privateNetwork = '', planPublisher = '', product = '', version = '', diskEncryptionSet = '' } = card
  return {
    ...card,
    rate: String(card.rate),
    tags: formatTags(tags),
    privateNetwork,
    planPublisher,
    product,
    version,
    diskEncryptionSet,
  }
}

/** Returns the entered card as the call takes it. */
export function templateOf({ privateNetwork, ...entered }: EnteredTemplate): NewTemplate {
  const trimmed = Object.fromEntries(
    Object.entries(entered).map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]),
  ) as typeof entered
  const { rate, tags, planPublisher, product, version, diskEncryptionSet, ...plain } = trimmed
  return {
    ...plain,
    rate: rupeesIn(rate),
    tags: tagsIn(tags),
    ...(entered.isOfficial && { planPublisher, product, version }),
    ...(diskEncryptionSet !== '' && { diskEncryptionSet }),
    ...(privateNetwork !== '' && { addressKind: 'private address', privateNetwork }),
  }
}

/** Resets the licence to none unless the operating system is Windows. */
export const licenceFor = ({ os, licence }: Pick<EnteredTemplate, 'os' | 'licence'>): EnteredTemplate['licence'] =>
  os === 'Windows' ? licence : 'none'

/** Returns the entered card as those who order see it. */
export const offeredAs = ({ name, rate, cpu, memory, os, storage, disk, licence, vmSize }: EnteredTemplate) => ({
  name,
  rate: rupeesIn(rate),
  display: { cpu, memory, os, storage, disk },
  creation: { licence, os, vmSize },
})
