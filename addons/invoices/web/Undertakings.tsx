import { useState } from 'react'
import type { SupplierSettings } from '../contract/supplier.ts'
import { isFinancialYear } from '@trainyard/ledger/contract/entry.ts'
import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import { PRINTABLE_PATTERN } from '@trainyard/ledger/contract/tax-document.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { EditableRows, type RowField } from './EditableRows.tsx'

const FIELDS = {
  number: {
    label: 'Number (ARN)',
    problem: (entered) =>
      entered.trim().length >= 3 && entered.length <= 30 && PRINTABLE_PATTERN.test(entered)
        ? null
        : 'Enter the number of the letter, 3 to 30 characters.',
  },
  year: {
    label: 'Financial Year',
    problem: (entered) => (isFinancialYear(entered.trim()) ? null : 'Enter a financial year such as 26-27.'),
  },
} as const satisfies Record<string, RowField>

/** Undertakings (LUT) by financial year. */
export function Undertakings({ undertakings }: { undertakings: SupplierSettings['undertakings'] }) {
  const { timeZone } = useMe()
  const [currentYear] = useState(() => financialYear(today(new Date(), timeZone)))
  const isMissing = undertakings.length > 0 && !undertakings.some(({ year }) => year === currentYear)
  return (
    <EditableRows
      title="Letters of Undertaking"
      text={`With a letter of undertaking, exports and supplies to SEZs in its financial year (April to March) are not taxed.${
        isMissing ? ` There is no letter for 20${currentYear}, so these invoices bear IGST.` : ''
      }`}
      noun="letter"
      fields={FIELDS}
      saved={undertakings.map(({ year, number }) => ({ year, number }))}
      blank={{ year: currentYear, number: '' }}
      toBody={(rows) => ({
        undertakings: rows.map(({ year, number }) => ({ year: year.trim(), number: number.trim() })),
      })}
    />
  )
}
