import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'

export interface DemoLine {
  readonly daysAgo: number
  readonly kind: 'invoice' | 'payment'
  readonly reference: string
  readonly particular: string
  readonly amount: Paise
}

const line =
  (kind: DemoLine['kind'], particular: string) =>
  (daysAgo: number, reference: string, amount: number): DemoLine => ({
    daysAgo,
    kind,
    reference,
    particular,
    amount: paise(amount),
  })
const invoice = line('invoice', 'Lab machines, monthly')
const extra = line('invoice', 'Additional lab hours')
const transfer = line('payment', 'Bank transfer')

export const ACME_LEDGER: readonly DemoLine[] = [
  invoice(96, 'TY-1041', 31_860_00),
  transfer(88, 'NEFT-5521904', 31_860_00),
  invoice(66, 'TY-1063', 38_448_50),
  extra(59, 'TY-1070', 4_720_00),
  transfer(52, 'NEFT-5610277', 43_168_50),
  invoice(35, 'TY-1098', 42_181_75),
  transfer(24, 'NEFT-5688412', 25_000_00),
  extra(12, 'TY-1117', 6_274_25),
  transfer(2, 'UPI-83120447', 12_500_00),
]

export const GLOBEX_LEDGER: readonly DemoLine[] = [
  invoice(68, 'TY-1060', 16_520_00),
  transfer(60, 'RTGS-2204518', 16_520_00),
  invoice(36, 'TY-1095', 18_742_50),
  transfer(27, 'RTGS-2261033', 18_742_50),
  invoice(6, 'TY-1124', 17_110_75),
  transfer(1, 'RTGS-2309871', 15_000_00),
]
