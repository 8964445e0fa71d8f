export const COST_PROVIDERS = ['azure', 'aws'] as const
export type CostProvider = (typeof COST_PROVIDERS)[number]
export const PROVIDER_NAMES: Readonly<Record<CostProvider, string>> = { azure: 'Azure', aws: 'AWS' }

/** `done`, `same` and `refused` are final. */
export const IMPORT_STATES = ['receiving', 'waiting', 'done', 'same', 'refused'] as const

const COST_KINDS = ['usage', 'purchase', 'credit', 'tax', 'adjustment', 'unused'] as const
export type CostKind = (typeof COST_KINDS)[number]

/** Encoded as base64, a part fits into the largest request that the server accepts. */
export const COST_PART_BYTES = 700_000
/** Maximum total size of the files of an import in bytes, as uploaded and after decompression. */
export const COST_FILES_BYTES = 96 * 1024 * 1024
export const COST_UNPACKED_BYTES = 1024 * 1024 * 1024
export const COST_FILES = 40
export const COST_LINES = 2_000_000
export const COST_BAD_LINES = 100

export const COST_OWNERS = {
  training: 'A training',
  sandboxes: 'Sandboxes',
  shared: 'Shared by all',
  account: 'Account: credits, purchases',
  unclaimed: 'Unclaimed',
} as const
export type CostOwner = keyof typeof COST_OWNERS

export const formatMoney = (currency: string, hundredths: number): string =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency, minimumFractionDigits: 2 }).format(hundredths / 100)
