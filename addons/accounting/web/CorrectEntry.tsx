import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReversibleKind } from '@trainyard/ledger/contract/entry.ts'
import { formatRupees, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

const KINDS: Readonly<Record<ReversibleKind, string>> = {
  invoice: 'Invoice',
  payment: 'Payment',
  tds: 'TDS certificate',
}

const INVALIDATES = ['ledger', 'meter', 'home'] as const

/** Reverses an entry that a user recorded, or writes off an amount of an invoice. */
export default function CorrectEntry({ organization, close }: { organization: string; close: () => void }) {
  const { timeZone } = useMe()
  const { data: reversible } = useQuery(query(api.ledger.reversible, { organization }))
  const { data: open } = useQuery(query(api.ledger.open, { organization }))
  const [entered, setEntered] = useState(() => ({
    how: 'reverse',
    entry: '',
    invoice: '',
    amount: '',
    reason: '',
    date: today(new Date(), timeZone),
  }))
  const [tried, setTried] = useState(false)
  const reversing = useDialogSubmit(api.ledger.reverse, INVALIDATES, close)
  const writingOff = useDialogSubmit(api.ledger.writeOff, INVALIDATES, close)
  const reverses = entered.how === 'reverse'
  const entries = reversible?.entries ?? []
  const invoices = open?.invoices ?? []
  const entry = entries.find(({ kind, id }) => `${kind} ${id}` === entered.entry)
  const invoice = invoices.find((one) => one.invoice === entered.invoice)
  const amount = parseRupees(entered.amount)
  const problems: Partial<Record<keyof typeof entered, string>> = {
    ...(reverses && entry === undefined && { entry: 'Choose the entry to reverse.' }),
    ...(!reverses && invoice === undefined && { invoice: 'Choose the invoice to write off.' }),
    ...(!reverses &&
      (amount === null || amount <= 0) && { amount: numberProblem(entered.amount, ALERTS.amountRequired) }),
    ...(entered.reason.trim() === '' && { reason: 'Enter the reason.' }),
    ...(entered.date === '' && { date: ALERTS.dateRequired }),
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const shared = { organization, reason: entered.reason.trim(), date: entered.date }
    if (entry !== undefined && reverses) reversing.mutate({ ...shared, kind: entry.kind, id: entry.id })
    else writingOff.mutate({ ...shared, invoice: entered.invoice, amount: amount! })
  }
  return (
    <FormDialog
      title="Correct an Entry"
      submit={reverses ? 'Reverse' : 'Write Off'}
      busy={(reversing.isPending || writingOff.isPending) && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Correction"
        data={[
          { value: 'reverse', label: 'Reverse an entry that is wrong' },
          { value: 'write off', label: 'Write off an invoice that will not be paid' },
        ]}
        {...fieldOf('how')}
      />
      {reverses ? (
        <NativeSelect
          label="Entry"
          description="Only manually entered entries. A tax document needs a credit note, an online payment a refund."
          data={[
            { value: '', label: 'Choose an entry' },
            ...entries.map(({ kind, id, date, amountPaise }) => ({
              value: `${kind} ${id}`,
              label: `${KINDS[kind]} ${id}, ${formatDate(date)}, ${formatRupees(amountPaise / 100)}`,
            })),
          ]}
          {...fieldOf('entry')}
        />
      ) : (
        <>
          <NativeSelect
            label="Invoice"
            data={[
              { value: '', label: 'Choose an invoice' },
              ...invoices.map((one) => ({
                value: one.invoice,
                label: `${one.invoice}: ${formatRupees(one.openPaise / 100)} open`,
              })),
            ]}
            {...fieldOf('invoice')}
          />
          <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" maxLength={20} {...fieldOf('amount')} />
        </>
      )}
      <TextInput label="Reason" autoComplete="off" maxLength={200} {...fieldOf('reason')} />
      <TextInput label="Date" type="date" {...fieldOf('date')} />
      <p className="dim">A correction can’t be changed later. Exports book it to a separate account.</p>
    </FormDialog>
  )
}
