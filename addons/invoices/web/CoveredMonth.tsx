import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface CoveredMonthProps {
  organization: string
  covers: (month: string | null) => void
}

/** Field for the month whose usage an invoice of the supplier's own books covers. */
export default function CoveredMonth({ organization, covers }: CoveredMonthProps) {
  const { data } = useQuery(query(api.meter.uncharged, organization === '' ? null : { organization }))
  const [chosen, setChosen] = useState('')
  const months = data?.months ?? []
  const covered = months.some(({ month }) => month === chosen) ? chosen : ''
  useLayoutEffect(() => covers(covered === '' ? null : covered), [covered, covers])
  if (months.length === 0) return null
  return (
    <NativeSelect
      label="Covers the usage of"
      description="The monthly run then does not invoice that month’s usage."
      data={[
        { value: '', label: 'No month' },
        ...months.map(({ month, amountPaise }) => ({
          value: month,
          label: `${formatMonth(month)}: ${formatRupees(amountPaise / 100)}`,
        })),
      ]}
      {...controlledText(covered, setChosen)}
    />
  )
}
