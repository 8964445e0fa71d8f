import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const ON_ACCOUNT = ''

interface SettledInvoiceProps {
  organization: string
  amount: number | null
  choose?: (open: number) => void
  settles: (invoice: string | null | undefined) => void
}

/**
 * Field for the invoice that a receipt settles. Until the user chooses, it proposes the only invoice that is open with
 * exactly this amount and is not withheld.
 */
export default function SettledInvoice({ organization, amount, choose, settles }: SettledInvoiceProps) {
  const { data } = useQuery(query(api.ledger.open, organization === '' ? null : { organization }))
  const [chosen, setChosen] = useState<string | null>(null)
  const invoices = data?.invoices ?? []
  const paise = amount === null ? null : Math.round(amount * 100)
  const matches = invoices.filter(({ openPaise, withheld }) => openPaise === paise && !withheld)
  const proposed = matches.length === 1 ? matches[0]!.invoice : ON_ACCOUNT
  const isKnown = chosen === ON_ACCOUNT || invoices.some(({ invoice }) => invoice === chosen)
  const value = chosen !== null && isKnown ? chosen : proposed
  const isLoaded = data !== undefined
  useLayoutEffect(
    () => settles(isLoaded ? (value === ON_ACCOUNT ? null : value) : undefined),
    [isLoaded, value, settles],
  )
  if (invoices.length === 0) return null
  return (
    <NativeSelect
      label="For"
      data={[
        { value: ON_ACCOUNT, label: 'On account: the oldest invoices first' },
        ...invoices.map(({ invoice, openPaise, withheld }) => ({
          value: invoice,
          label: `${invoice}: ${formatRupees(openPaise / 100)} open${withheld ? ', not sent yet' : ''}`,
        })),
      ]}
      {...controlledText(value, (invoice) => {
        setChosen(invoice)
        const found = invoices.find((each) => each.invoice === invoice)
        if (found !== undefined) choose?.(found.openPaise / 100)
      })}
    />
  )
}
