import { useState } from 'react'
import type { SupplierSettings } from '@trainyard/contract/calls/supplier.ts'
import { isFinancialYear } from '@trainyard/contract/words/entry.ts'
import { financialYear } from '@trainyard/contract/words/financial-year.ts'
import { PRINTABLE_PATTERN } from '@trainyard/contract/words/tax-document.ts'
import { useMe } from '#src/session/me.ts'
import { today } from '#src/ui/time.ts'
import { type RowField, Rows } from './Rows.tsx'

const FIELDS = {
  number: {
    label: 'Number (ARN)',
    problem: (typed) =>
      typed.trim().length >= 3 && typed.length <= 30 && PRINTABLE_PATTERN.test(typed)
        ? null
        : 'Enter the number of the letter, 3 to 30 characters.',
  },
  year: {
    label: 'Financial Year',
    problem: (typed) => (isFinancialYear(typed.trim()) ? null : 'Enter a financial year such as 26-27.'),
  },
} as const satisfies Record<string, RowField>

/** Undertakings (LUT) by financial year. */
export function Undertakings({ undertakings }: { undertakings: SupplierSettings['undertakings'] }) {
  const { timeZone } = useMe()
  const [present] = useState(() => financialYear(today(new Date(), timeZone)))
  const isMissing = undertakings.length > 0 && !undertakings.some(({ year }) => year === present)
  return (
    <Rows
      title="Letters of Undertaking"
      text={`With a letter, exports and supplies to SEZ are not taxed in its financial year, April to March.${
        isMissing ? ` There is none for 20${present}, so invoices bear IGST.` : ''
      }`}
      noun="letter"
      fields={FIELDS}
      saved={undertakings.map(({ year, number }) => ({ year, number }))}
      blank={{ year: present, number: '' }}
      read={(rows) => ({
        undertakings: rows.map(({ year, number }) => ({ year: year.trim(), number: number.trim() })),
      })}
    />
  )
}
