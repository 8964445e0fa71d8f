import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import {
  formatRupees,
  formatRupeesInput,
  numberProblem,
  parseRupees,
} from '@trainyard/platform/contract/words/money.ts'
import { PRINTABLE_PATTERN } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

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
  const issuing = useDialogSubmit(isCredit ? api.invoice.credit : api.invoice.debit, ['ledger'], close)
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
