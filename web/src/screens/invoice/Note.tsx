import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import { formatRupees, formatRupeesInput, numberProblem, parseRupees } from '@trainyard/contract/words/money.ts'
import { PRINTABLE_PATTERN } from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { useMe } from '#src/session/me.ts'
import { formatDate, today } from '#src/ui/time.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'

type Issued = ReplyOf<typeof invoice.read>

interface NoteProps {
  issued: Issued
  /** Issues a credit note, which reduces the invoice at most to zero, or a debit note, which raises the invoice. */
  kind: 'credit' | 'debit'
  close: () => void
}

export default function Note({ issued, kind, close }: NoteProps) {
  const { timeZone } = useMe()
  const { document, leftPaise, taxCreditUntil } = issued
  const [now] = useState(() => today(new Date(), timeZone))
  const isCredit = kind === 'credit'
  const isFinancial = isCredit && taxCreditUntil !== null && now > taxCreditUntil
  const leftRupees = leftPaise.map((paise) => paise / 100)
  const title = isCredit ? 'Credit Note' : 'Debit Note'
  const [amounts, setAmounts] = useState<readonly string[]>(() => leftRupees.map(() => ''))
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const issuing = useDialogSubmit(isCredit ? api.invoice.credit : api.invoice.debit, ['invoice', 'ledger'], close)
  const problems = amounts.map((entered, index) => amountProblem(entered, isCredit ? leftRupees[index]! : Infinity))
  const items = amounts.flatMap((entered, index) => {
    const amount = parseRupees(entered)
    return amount === null ? [] : [{ item: index + 1, amount }]
  })
  const wrongReason =
    reason.trim().length < 3
      ? 'Enter a reason of at least three characters.'
      : PRINTABLE_PATTERN.test(reason)
        ? null
        : 'Use Latin letters or an Indian script, without quotation marks.'
  const submit = () => {
    setTried(true)
    if (wrongReason !== null || problems.some((problem) => problem !== null) || items.length === 0) return
    issuing.mutate({ number: document.number!, reason: reason.trim(), items })
  }
  return (
    <FormDialog
      title={`${isFinancial ? 'Financial ' : ''}${title} Against ${document.number}`}
      submit={`Issue ${title}`}
      busy={issuing.isPending && 'Issuing...'}
      onSubmit={submit}
      close={close}
    >
      {document.items.map(({ description }, index) => (
        <TextInput
          key={description}
          label={`Item ${index + 1}: rupees before tax`}
          description={isCredit ? `${description}. ${formatRupees(leftRupees[index]!)} left.` : description}
          placeholder={isCredit ? formatRupeesInput(leftRupees[index]!) : undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          disabled={isCredit && leftRupees[index] === 0}
          value={amounts[index]}
          error={
            tried &&
            (problems[index] ?? (items.length === 0 && index === 0 ? 'Enter an amount for at least one item.' : null))
          }
          onChange={(event) => {
            const { value } = event.currentTarget
            setAmounts((now) => now.map((entered, each) => (each === index ? value : entered)))
          }}
        />
      ))}
      <TextInput
        label="Reason"
        autoComplete="off"
        maxLength={200}
        {...controlledText(reason, setReason)}
        error={tried && wrongReason}
      />
      <p className="dim">
        {isFinancial
          ? `The tax of this invoice could be reduced until ${formatDate(taxCreditUntil)}. A financial credit note reduces only the amount before tax.`
          : `Tax is ${isCredit ? 'reduced' : 'added'} at the invoice’s own rates.`}{' '}
        A {title.toLowerCase()} can’t be changed once it is issued.
      </p>
    </FormDialog>
  )
}

function amountProblem(entered: string, left: number): string | null {
  if (entered.trim() === '') return null
  const amount = parseRupees(entered)
  if (amount === null || amount <= 0) return numberProblem(entered, 'Enter rupees with at most two decimals.')
  return amount > left ? `At most ${formatRupees(left)} can be credited.` : null
}
