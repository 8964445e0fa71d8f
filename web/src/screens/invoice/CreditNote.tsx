import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { PRINTED } from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { rupeesTyped, typedRupees } from '#src/money/amount.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { useCreation } from '#src/forms/useCreation.ts'

type Issued = ReplyOf<typeof invoice.read>

/** Issue Credit Note: what an invoice billed too much, item by item, before tax. */
export default function CreditNote({ issued, close }: { issued: Issued; close: () => void }) {
  const { document, credited } = issued
  const left = document.items.map(({ taxablePaise }, index) => (taxablePaise - (credited.items[index] ?? 0)) / 100)
  const [amounts, setAmounts] = useState<readonly string[]>(() => left.map(() => ''))
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const crediting = useCreation(api.invoice.credit, ['invoice', 'ledger'], close)
  const problems = amounts.map((typed, index) => amountProblem(typed, left[index]!))
  const items = amounts.flatMap((typed, index) => {
    const amount = rupeesTyped(typed)
    return amount === null ? [] : [{ item: index + 1, amount }]
  })
  const wrongReason =
    reason.trim().length < 3
      ? 'Say why, in three characters at least.'
      : PRINTED.test(reason)
        ? null
        : 'Write it in Latin or Devanagari, without quotation marks.'
  const submit = () => {
    setTried(true)
    if (wrongReason !== null || problems.some((problem) => problem !== null) || items.length === 0) return
    crediting.mutate({ number: document.number!, reason: reason.trim(), items })
  }
  return (
    <FormDialog
      title={`Credit Note Against ${document.number}`}
      submit="Issue Credit Note"
      busy={crediting.isPending && 'Issuing...'}
      onSubmit={submit}
      close={close}
    >
      {document.items.map(({ description }, index) => (
        <TextInput
          key={description}
          label={`Item ${index + 1}: rupees before tax`}
          description={`${description}. ${formatRupees(left[index]!)} left.`}
          placeholder={typedRupees(left[index]!)}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          disabled={left[index] === 0}
          value={amounts[index]}
          error={
            tried &&
            (problems[index] ?? (items.length === 0 && index === 0 ? 'Enter an amount for an item at least.' : null))
          }
          onChange={(event) => {
            const { value } = event.currentTarget
            setAmounts((now) => now.map((typed, each) => (each === index ? value : typed)))
          }}
        />
      ))}
      <TextInput
        label="Reason"
        autoComplete="off"
        maxLength={200}
        value={reason}
        error={tried && wrongReason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <p className="dim">Tax is taken off at the invoice’s own rates. It can’t be changed once it is issued.</p>
    </FormDialog>
  )
}

function amountProblem(typed: string, left: number): string | null {
  if (typed.trim() === '') return null
  const amount = rupeesTyped(typed)
  if (amount === null || amount <= 0) return 'Enter rupees with at most two decimals.'
  return amount > left ? `At most ${formatRupees(left)} are left.` : null
}
