import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import { formatMoney } from '../contract/cost-words.ts'

export type Adoptable = BodyOf<typeof cost.release> & { readonly name: string }

export const formatCost = (
  amounts: readonly { readonly currency: string; readonly hundredths: number }[],
  none = 'Not billed yet',
): string =>
  amounts.length === 0
    ? none
    : amounts.map(({ currency, hundredths }) => formatMoney(currency, hundredths)).join(' and ')
