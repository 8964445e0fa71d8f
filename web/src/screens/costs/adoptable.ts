import type { BodyOf } from '@trainyard/contract/call.ts'
import type { cost } from '@trainyard/contract/calls/cost.ts'
import { formatMoney } from '@trainyard/contract/words/cost.ts'

export type Adoptable = BodyOf<typeof cost.release> & { readonly name: string }

export const formatCost = (
  amounts: readonly { readonly currency: string; readonly hundredths: number }[],
  none = 'Not billed yet',
): string =>
  amounts.length === 0
    ? none
    : amounts.map(({ currency, hundredths }) => formatMoney(currency, hundredths)).join(' and ')
