import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accounting } from '../contract.ts'
import type { ReversibleKind } from '@trainyard/ledger/contract/entry.ts'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { formatRupees, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const KINDS: Readonly<Record<ReversibleKind, string>> = {
  invoice: 'Invoice',
  payment: 'Payment',
  tds: 'TDS certificate',
}

const INVALIDATES = ['ledger', 'home'] as const

type CorrectionForm = Record<'id' | 'invoice' | 'amount' | 'reason' | 'date', string>
type Reversal = BodyOf<typeof accounting.reverse>
type WriteOff = BodyOf<typeof accounting.writeOff>

/** IDs are unique per kind. */
const keyOf = ({ kind, id }: Pick<Reversal, 'kind' | 'id'>): string => `${kind} ${id}`

/** Reverses an entry that a user recorded, or writes off an amount of an invoice. */
export default function CorrectEntry({ organization, close }: { organization: string; close: () => void }) {
  const { timeZone } = useMe()
  const { data: reversible } = useQuery(query(api.ledger.reversible, { organization }))
  const { data: open } = useQuery(query(api.ledger.open, { organization }))
  const [now] = useState(() => today(new Date(), timeZone))
  const [how, setHow] = useState('reverse')
  const reversing = useDialogSubmit(api.ledger.reverse, INVALIDATES, close)
  const writingOff = useDialogSubmit(api.ledger.writeOff, INVALIDATES, close)
  const reverses = how === 'reverse'
  const entries = reversible?.entries ?? []
  const invoices = open?.invoices ?? []
  const form = useShapedForm<CorrectionForm, Reversal | WriteOff>({
    shape: reverses ? accounting.reverse.body : accounting.writeOff.body,
    initialValues: { id: '', invoice: '', amount: '', reason: '', date: now },
    bodyOf({ id, invoice, amount, reason, date }) {
      const shared = { organization, reason: reason.trim(), date }
      if (!reverses) return { ...shared, invoice, amount: rupeesIn(amount) }
      const entry = entries.find((each) => keyOf(each) === id)
      return { ...shared, kind: entry?.kind ?? 'invoice', id: entry?.id ?? '' }
    },
  })
  return (
    <FormDialog
      title="Correct an Entry"
      submit={reverses ? 'Reverse' : 'Write Off'}
      busy={(reversing.isPending || writingOff.isPending) && 'Saving...'}
      onSubmit={form.onSubmit((body) => ('kind' in body ? reversing.mutate(body) : writingOff.mutate(body)))}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Correction"
        data={[
          { value: 'reverse', label: 'Reverse an entry that is wrong' },
          { value: 'write off', label: 'Write off an invoice that will not be paid' },
        ]}
        {...controlledText(how, setHow)}
      />
      {reverses ? (
        <NativeSelect
          label="Entry"
          description="Only manually entered entries. A tax document needs a credit note, an online payment a refund."
          data={[
            { value: '', label: 'Choose an entry' },
            ...entries.map((entry) => ({
              value: keyOf(entry),
              label: `${KINDS[entry.kind]} ${entry.id}, ${formatDate(entry.date)}, ${formatRupees(entry.amountPaise / 100)}`,
            })),
          ]}
          {...form.getInputProps('id')}
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
            {...form.getInputProps('invoice')}
          />
          <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" {...form.getInputProps('amount')} />
        </>
      )}
      <TextInput label="Reason" autoComplete="off" {...form.getInputProps('reason')} />
      <DateField label="Date" {...form.getInputProps('date')} />
      <p className="dim">A correction can’t be changed later. Exports book it to a separate account.</p>
    </FormDialog>
  )
}
