import { formatRupees } from '@trainyard/contract/words/money.ts'

/** An amount as people in India write it; `amount` is rupees as the wire gives them. */
export function Rupees({ amount }: { amount: number }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{formatRupees(amount)}</span>
}
