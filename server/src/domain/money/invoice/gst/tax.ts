import { type Paise, paise } from '@trainyard/contract/words/money.ts'

/** The heads that a supply is taxed under: of centre and state, of both together, or none. */
export type TaxHeads = 'CGST and SGST' | 'IGST' | 'none'

export interface Tax {
  readonly cgst: Paise
  readonly sgst: Paise
  readonly igst: Paise
}

/**
 * Returns the tax on a taxable value, each head rounded half up to the paisa. CGST and SGST are half the rate each, and
 * so always equal.
 * @param rate hundredths of a per cent
 */
export function taxOn(taxable: number, rate: number, heads: TaxHeads): Tax {
  const half = heads === 'CGST and SGST' ? share(taxable, rate, 20_000n) : paise(0)
  return { cgst: half, sgst: half, igst: heads === 'IGST' ? share(taxable, rate, 10_000n) : paise(0) }
}

const share = (taxable: number, rate: number, whole: bigint): Paise =>
  paise(Number((2n * BigInt(taxable) * BigInt(rate) + whole) / (2n * whole)))

/** Returns what is added to a sum to make whole rupees of it, half a rupee upwards; below zero: taken off. */
export function roundOffOf(sum: number): Paise {
  const over = sum % 100
  return paise(over >= 50 ? 100 - over : 0 - over)
}
