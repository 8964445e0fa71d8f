import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatRupees, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { REQUEST_DAYS_DEFAULT, REQUEST_DAYS_MAX } from '../contract/payment-request-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface RequestDialogProps {
  organization: string
  close: () => void
}

export default function RequestDialog({ organization, close }: RequestDialogProps) {
  const [entered, setEntered] = useState('')
  const [about, setAbout] = useState('')
  const [days, setDays] = useState(String(REQUEST_DAYS_DEFAULT))
  const [tried, setTried] = useState(false)
  const request = useDialogSubmit(api.payment.request, ['payment'], close)
  const amount = parseRupees(entered)
  const lasts = /^\d{1,2}$/.test(days) ? Number(days) : 0
  const wrong = {
    amount:
      amount === null || amount < 1 ? numberProblem(entered, 'Enter at least ₹1, with at most two decimals.') : null,
    about: about.trim() === '' ? 'Enter what it is for.' : null,
    days: lasts < 1 || lasts > REQUEST_DAYS_MAX ? `Enter 1 to ${REQUEST_DAYS_MAX} days.` : null,
  }
  const submit = () => {
    setTried(true)
    if (amount === null || Object.values(wrong).some((problem) => problem !== null)) return
    request.mutate({ organization, amount, about: about.trim(), days: lasts })
  }
  const alert = (problem: string | null) => tried && problem && <span role="alert">{problem}</span>
  const field = (value: string, set: (to: string) => void, problem: string | null) => ({
    autoComplete: 'off',
    error: alert(problem),
    ...controlledText(value, set),
  })
  return (
    <FormDialog
      title="Request a Payment"
      submit={wrong.amount === null ? `Request ${formatRupees(amount!)}` : 'Request'}
      busy={request.isPending && 'Requesting...'}
      onSubmit={submit}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Amount (₹)"
        inputMode="decimal"
        maxLength={20}
        {...field(entered, setEntered, wrong.amount)}
      />
      <TextInput label="For" maxLength={200} {...field(about, setAbout, wrong.about)} />
      <TextInput label="Days to pay" inputMode="numeric" maxLength={2} {...field(days, setDays, wrong.days)} />
      <p className="dim">
        The billing addresses of {organization} receive a link by mail. An admin signs in to pay it, once.
      </p>
    </FormDialog>
  )
}
