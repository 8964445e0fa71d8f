import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'

export type TaxHeads = 'CGST and SGST' | 'IGST' | 'none'

export interface Tax {
  readonly cgst: Paise
  readonly sgst: Paise
  readonly igst: Paise
}

/**
 * Returns the tax. Each head is rounded half up to the paisa.
 * @param rate basis points (hundredths of a per cent)
 */
export function taxOn(taxable: number, rate: number, heads: TaxHeads): Tax {
  const half = heads === 'CGST and SGST' ? share(taxable, rate, 20_000n) : paise(0)
  return { cgst: half, sgst: half, igst: heads === 'IGST' ? share(taxable, rate, 10_000n) : paise(0) }
}

const share = (taxable: number, rate: number, whole: bigint): Paise =>
  paise(Number((2n * BigInt(taxable) * BigInt(rate) + whole) / (2n * whole)))

/**
 * Returns the amount that rounds a total half up to whole rupees. The amount is negative if the total is rounded down.
 */
export function roundOffOf(sum: number): Paise {
  const over = sum % 100
  return paise(over >= 50 ? 100 - over : 0 - over)
}

/** Returns the part of a sum before tax, rounded half up to the paisa. */
export const beforeTax = (sum: number, rate: number): Paise => {
  const whole = 10_000n + BigInt(rate)
  return paise(Number((2n * BigInt(sum) * 10_000n + whole) / (2n * whole)))
}
