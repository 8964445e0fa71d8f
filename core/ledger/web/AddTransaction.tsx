import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { tdsSectionOn } from '../contract/entry.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { coveredUsage, settledInvoice, recordsTax, recordsTds } from './slots.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { problemsOf, taxOf, type TransactionForm, type TransactionType } from './transaction.ts'

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
  const [entered, setEntered] = useState<TransactionForm>(() => ({
    organization: initialOrganization ?? organization ?? '',
    id: '',
    amount: '',
    date: today(new Date(), timeZone),
    tds: '',
    taxable: '',
    rate: '',
    sac: '',
  }))
  const [covers, setCovers] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const problems = problemsOf(entered, type)
  const adding = useDialogSubmit(api.ledger.add, ['ledger', 'meter', 'home'], close)
  const amount = parseRupees(entered.amount)
  const deducted = entered.tds.trim() === '' ? 0 : parseRupees(entered.tds)
  const settled = amount === null || deducted === null ? null : amount + deducted
  const [settles, setSettles] = useState<string | null>()
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const { organization: customer, date, tds } = entered
    const tax = type === 'invoice' ? taxOf(entered) : undefined
    adding.mutate({
      organization: customer,
      date,
      id: entered.id.trim(),
      amount: amount!,
      type,
      ...(covers !== null && { covers }),
      ...(type === 'payment' && settles !== undefined && { settles }),
      ...(tax !== undefined && { tax }),
      ...(tds.trim() !== '' && { tds: { amount: deducted!, section: tdsSectionOn(entered.date) } }),
    })
  }
  const words = WORDS[type]
  return (
    <FormDialog
      title={words.title}
      submit={words.title}
      busy={adding.isPending && words.busy}
      onSubmit={submit}
      close={close}
    >
      <OrganisationField label="Organization" data-autofocus {...fieldOf('organization')} />
      <TextInput label={words.id} autoComplete="off" maxLength={NAME_LENGTH} {...fieldOf('id')} />
      <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" maxLength={20} {...fieldOf('amount')} />
      {type === 'invoice' && provided(recordsTax) && (
        <>
          <TextInput
            label="Amount before tax (₹)"
            description="Optional. With it, GSTR-1 and the books contain the invoice with its tax."
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            {...fieldOf('taxable')}
          />
          <TextInput
            label="Rate of tax (%)"
            description="If empty, the rate of the supplier settings on the date."
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            {...fieldOf('rate')}
          />
          <TextInput
            label="Accounting Code (SAC)"
            description="If empty, the code of the supplier settings."
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            {...fieldOf('sac')}
          />
        </>
      )}
      {type === 'payment' && provided(recordsTds) && (
        <TextInput
          label="TDS deducted (₹)"
          description="Tax that the payer kept back, in addition to the amount. Record its certificate later."
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          {...fieldOf('tds')}
        />
      )}
      <TextInput label="Date" type="date" {...fieldOf('date')} />
      {type === 'invoice' && (
        <Fills of={coveredUsage} props={{ organization: entered.organization, covers: setCovers }} />
      )}
      {type === 'payment' && (
        <Fills
          of={settledInvoice}
          props={{ organization: entered.organization, amount: settled, settles: setSettles }}
        />
      )}
      <p className="dim">An entry can’t be changed later. Correct a mistake on the customer’s account.</p>
    </FormDialog>
  )
}
