import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { controlledText } from '#src/ui/typed-fields.tsx'

const ON_ACCOUNT = ''

/**
 * Returns the field for the invoice that a receipt settles, and its value: an invoice number, null for the oldest
 * first, or undefined until the invoices are loaded (the server then chooses by the same rule). Until the user chooses,
 * the field proposes the only invoice that is open with exactly this amount and is not withheld.
 * @param amount in rupees; null while it is not valid
 * @param choose called with the open amount, in rupees, of the invoice that the user chooses
 */
export function useSettles(
  organization: string,
  amount: number | null,
  choose?: (open: number) => void,
): { settles: string | null | undefined; field: ReactNode } {
  const { data } = useQuery(query(api.ledger.open, organization === '' ? null : { organization }))
  const [chosen, setChosen] = useState<string | null>(null)
  const invoices = data?.invoices ?? []
  const paise = amount === null ? null : Math.round(amount * 100)
  const matches = invoices.filter(({ openPaise, withheld }) => openPaise === paise && !withheld)
  const proposed = matches.length === 1 ? matches[0]!.invoice : ON_ACCOUNT
  const isKnown = chosen === ON_ACCOUNT || invoices.some(({ invoice }) => invoice === chosen)
  const value = chosen !== null && isKnown ? chosen : proposed
  return {
    settles: data === undefined ? undefined : value === ON_ACCOUNT ? null : value,
    field: invoices.length > 0 && (
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
    ),
  }
}
