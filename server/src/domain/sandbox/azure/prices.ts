import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import type { Standing } from '../../../providers/sandbox-groups.ts'

/** Sizes that a machine in a sandbox may have, with what an hour costs; about Azure's price, with a margin. */
const SIZES = new Map<string, Paise>([
  ['Standard_B1s', paise(110)],
  ['Standard_B1ms', paise(210)],
  ['Standard_B2s', paise(420)],
  ['Standard_B2ms', paise(830)],
  ['Standard_DS1_v2', paise(950)],
  ['Standard_D2s_v3', paise(1_400)],
])

export const ALLOWED_SIZES = [...SIZES.keys()]

/** A size that has no price here should not be there: it is taken for a large one, so that it is noticed. */
const UNKNOWN_SIZE = paise(6_000)
/** A gigabyte for a month. */
const DISK_GB_MONTH = paise(1_000)
const HOURS_OF_A_MONTH = 730
const ADDRESS = paise(45)
const OTHER = paise(200)

const bySize = new Map([...SIZES].map(([size, price]) => [size.toLowerCase(), price]))

/** What an hour of something in a sandbox costs, in paise; a disk's hour is less than one. */
export function paisePerHour(standing: Standing): number {
  switch (standing.kind) {
    case 'machine':
      return standing.billed ? (bySize.get(standing.size.toLowerCase()) ?? UNKNOWN_SIZE) : 0
    case 'disk':
      return (DISK_GB_MONTH * standing.sizeGb) / HOURS_OF_A_MONTH
    case 'address':
      return ADDRESS
    case 'other':
      return OTHER
  }
}
