import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ledger } from '../contract/ledger.ts'
import { formatRupees, formatRupeesInput } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { coveredUsage, settledInvoice, recordsTax, recordsTds } from './slots.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { transactionOf, type TransactionType } from './transaction.ts'

const WORDS = {
  invoice: { title: 'Add Invoice', id: 'Invoice ID', busy: 'Adding...' },
  payment: { title: 'Record Payment', id: 'Payment ID', busy: 'Recording...' },
} as const

interface AddTransactionProps {
  type: TransactionType
  organization?: string
  close: () => void
}

export default function AddTransaction({ type, organization: initialOrganization, close }: AddTransactionProps) {
  const { timeZone } = useMe()
  const { organization } = useSelection()
  const [now] = useState(() => today(new Date(), timeZone))
  const [covers, setCovers] = useState<string | null>(null)
  const [settles, setSettles] = useState<string | null>()
  const adding = useDialogSubmit(api.ledger.add, ['ledger', 'home'], close)
  const form = useShapedForm({
    shape: ledger.add.body,
    initialValues: {
      organization: initialOrganization ?? organization ?? '',
      id: '',
      amount: '',
      date: now,
      tds: { amount: '' },
      tax: { taxable: '', basisPoints: '', sac: '' },
    },
    bodyOf: (entered) => ({
      ...transactionOf(entered, type),
      ...(covers !== null && { covers }),
      ...(type === 'payment' && settles !== undefined && { settles }),
    }),
  })
  const { amount, tds } = form.getTransformedValues()
  const settled = amount + (tds?.amount ?? 0)
  const words = WORDS[type]
  const { organization: payer } = form.values
  const account = useQuery(
    query(api.ledger.account, type === 'payment' && payer !== '' ? { organization: payer } : null),
  )
  const owed = account.data?.legal.balance ?? 0
  const prefilled = useRef('')
  useEffect(() => {
    // An amount that the user typed stays, also when another customer is chosen.
    if (form.values.amount !== prefilled.current) return
    prefilled.current = owed > 0 ? formatRupeesInput(owed) : ''
    form.setFieldValue('amount', prefilled.current)
    // oxlint-disable-next-line react/exhaustive-deps -- only another balance fills the field
  }, [owed])
  return (
    <FormDialog
      title={words.title}
      submit={words.title}
      busy={adding.isPending && words.busy}
      onSubmit={form.onSubmit((body) => adding.mutate(body))}
      close={close}
    >
      <OrganisationField label="Organization" data-autofocus {...form.getInputProps('organization')} />
      <TextInput label={words.id} autoComplete="off" {...form.getInputProps('id')} />
      <TextInput
        label="Amount (₹)"
        description={owed > 0 ? `Balance owed: ${formatRupees(owed)}` : undefined}
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      {type === 'invoice' && provided(recordsTax) && (
        <>
          <TextInput
            label="Amount before tax (₹)"
            description="Optional. With it, GSTR-1 and the books contain the invoice with its tax."
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('tax.taxable')}
          />
          <TextInput
            label="Rate of tax (%)"
            description="If empty, the rate of the supplier settings on the date."
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('tax.basisPoints')}
          />
          <TextInput
            label="Accounting Code (SAC)"
            description="If empty, the code of the supplier settings."
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('tax.sac')}
          />
        </>
      )}
      {type === 'payment' && provided(recordsTds) && (
        <TextInput
          label="TDS deducted (₹)"
          description="Tax that the payer kept back, in addition to the amount. Record its certificate later."
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps('tds.amount')}
        />
      )}
      <DateField label="Date" {...form.getInputProps('date')} />
      {type === 'invoice' && (
        <Fills of={coveredUsage} props={{ organization: form.values.organization, covers: setCovers }} />
      )}
      {type === 'payment' && (
        <Fills
          of={settledInvoice}
          props={{
            organization: form.values.organization,
            amount: Number.isNaN(settled) ? null : settled,
            settles: setSettles,
          }}
        />
      )}
      <p className="dim">An entry can’t be changed later. Correct a mistake on the customer’s account.</p>
    </FormDialog>
  )
}
