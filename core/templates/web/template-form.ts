import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { formatTags, parseTags, tagsProblem } from '@trainyard/platform/contract/words/azure-tags.ts'
import { DISK_SKUS, LICENCES, OPERATING_SYSTEMS, VM_SIZES } from '@trainyard/platform/contract/words/limits.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'

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
export type Texts = Record<TextField, string>
export type NewTemplate = BodyOf<typeof template.create>
export type TemplateToEdit = ReplyOf<typeof template.read>
/** `privateNetwork`: its name; '': the machines have public addresses. */
export type Choices = Required<
  Pick<NewTemplate, 'vmSize' | 'os' | 'licence' | 'isOfficial' | 'diskSku' | 'encryptionAtHost' | 'bootDiagnostics'>
> & { readonly privateNetwork: string }

type Problems = Partial<Texts> & { vmSize?: string }

export const NO_TEXTS: Texts = {
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
}
export const FIRST_CHOICES: Choices = {
  vmSize: VM_SIZES[0],
  os: OPERATING_SYSTEMS[0],
  licence: LICENCES[1],
  isOfficial: false,
  privateNetwork: '',
  diskSku: DISK_SKUS[0],
  encryptionAtHost: false,
  bootDiagnostics: false,
}

export const filledForm = (card: TemplateToEdit): { texts: Texts; choices: Choices } => ({
  texts: {
    ...(Object.fromEntries(
      Object.keys(NO_TEXTS)
        .filter((field) => field !== 'tags')
        .map((field) => [field, String(card[field as Exclude<TextField, 'tags'>] ?? '')]),
    ) as Texts),
    tags: formatTags(card.tags),
  },
  choices: {
    vmSize: card.vmSize,
    os: card.os,
    licence: card.licence,
    isOfficial: card.isOfficial,
    diskSku: card.diskSku,
    encryptionAtHost: card.encryptionAtHost,
    bootDiagnostics: card.bootDiagnostics,
    privateNetwork: card.privateNetwork ?? '',
  },
})

export function templateOf(
  entered: Texts,
  choices: Choices,
): { template: NewTemplate; problems?: never } | { template?: never; problems: Problems } {
  const texts = Object.fromEntries(Object.entries(entered).map(([field, text]) => [field, text.trim()])) as Texts
  const asked = Object.keys(choices.isOfficial ? { ...TEXTS, ...PLAN_TEXTS } : TEXTS) as TextField[]
  const problems: Problems = {}
  if (!/^(Standard|Basic)_\w[\w-]*$/.test(choices.vmSize.trim()))
    problems.vmSize = 'Must be a size such as Standard_E4s_v5.'
  for (const field of asked) if (texts[field] === '') problems[field] = 'Must not be empty.'
  const rate = parseRupees(texts.rate)
  if (texts.rate !== '' && (rate === null || rate < 0))
    problems.rate = numberProblem(texts.rate, 'Must be rupees with at most two decimals.')
  const tags = parseTags(texts.tags)
  const wrongTags = tags === null ? 'must be one name=value per line' : tagsProblem(tags)
  if (wrongTags !== null) problems.tags = `The field ${wrongTags}.`
  if (rate === null || Object.keys(problems).length > 0) return { problems }
  const { planPublisher, product, version, diskEncryptionSet, ...plain } = texts
  const plan = choices.isOfficial ? { planPublisher, product, version } : {}
  const encryption = diskEncryptionSet === '' ? {} : { diskEncryptionSet }
  const { privateNetwork, ...chosen } = choices
  const address = privateNetwork === '' ? {} : { addressKind: 'private address' as const, privateNetwork }
  const vmSize = chosen.vmSize.trim()
  return {
    template: { ...plain, ...chosen, vmSize, rate, ...plan, tags: tags ?? {}, ...encryption, ...address },
  }
}

/** Resets the licence to none unless the operating system is Windows. */
export const licenceFor = (choices: Choices): Choices =>
  choices.os === 'Windows' ? choices : { ...choices, licence: 'none' }
