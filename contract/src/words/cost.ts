/** Providers whose bills can be imported. */
export const COST_PROVIDERS = ['azure', 'aws'] as const
export type CostProvider = (typeof COST_PROVIDERS)[number]
export const PROVIDER_NAMES: Readonly<Record<CostProvider, string>> = { azure: 'Azure', aws: 'AWS' }

/** The stations of an import; the last three are its ends. */
export const IMPORT_STATES = ['receiving', 'waiting', 'done', 'same', 'refused'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** The kinds of a line of a bill. */
export const COST_KINDS = ['usage', 'purchase', 'credit', 'tax', 'adjustment', 'unused'] as const
export type CostKind = (typeof COST_KINDS)[number]

/** Bytes of a file that one call sends: as base64 they stay within the largest request. */
export const COST_PART_BYTES = 700_000
/** Bytes of all files of one import, as they are sent, and of what they hold, unpacked. */
export const COST_FILES_BYTES = 96 * 1024 * 1024
export const COST_UNPACKED_BYTES = 1024 * 1024 * 1024
export const COST_FILES = 40
export const COST_LINES = 2_000_000
/** Bad lines that are named. */
export const COST_BAD_LINES = 100

/** The owners of costs that are no training's. */
export const COST_OWNERS = {
  training: 'A training',
  sandboxes: 'Sandboxes',
  shared: 'Shared by all',
  account: 'Of no resource: taxes, credits, purchases',
  unclaimed: 'Nobody claims it',
} as const
export type CostOwner = keyof typeof COST_OWNERS

/** An amount of money as people write it, of a currency in hundredths. */
export const formatMoney = (currency: string, hundredths: number): string =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency, minimumFractionDigits: 2 }).format(hundredths / 100)
