import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isOverdueOrder, OVERDUE_DAYS_MAX } from '@trainyard/invoices/contract/payment-terms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import type { PrepaidState } from './forecast.ts'

const read = (entered: string): number | null => (entered.trim() === '' ? null : Number(entered))

const isDays = (days: number | null): boolean =>
  days === null || (Number.isInteger(days) && days >= 0 && days <= OVERDUE_DAYS_MAX)

/** Sets whether the credit limit is enforced, and the organisation's own policy for overdue invoices. */
export default function TermsDialog({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization, limit, overdue } = state
  const [limitEnforced, setLimitEnforced] = useState(limit.enforced)
  const [isOwn, setOwn] = useState(overdue.isOwn)
  const [entered, setEntered] = useState(() => ({
    warn: String(overdue.warnDays ?? ''),
    hold: String(overdue.holdDays ?? ''),
    stop: String(overdue.stopDays ?? ''),
    paused: overdue.pausedUntil ?? '',
  }))
  const [tried, setTried] = useState(false)
  const saving = useDialogSubmit(api.credit.setTerms, ['credit', 'machine'], close)
  const days = { warnDays: read(entered.warn), holdDays: read(entered.hold), stopDays: read(entered.stop) }
  const sentence = `Enter days, 0 to ${OVERDUE_DAYS_MAX}, or leave it empty.`
  const problems = isOwn
    ? {
        ...(!isDays(days.warnDays) && { warn: sentence }),
        ...(!isDays(days.holdDays) && { hold: sentence }),
        ...(!isDays(days.stopDays)
          ? { stop: sentence }
          : !isOverdueOrder(days) && { stop: 'The steps must begin in this order.' }),
      }
    : {}
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    saving.mutate({
      organization,
      limitEnforced,
      overdue: isOwn ? days : null,
      pausedUntil: entered.paused === '' ? null : entered.paused,
    })
  }
  const field = { inputMode: 'numeric', autoComplete: 'off', maxLength: 3 } as const
  return (
    <FormDialog
      title={`Credit Terms of ${organization}`}
      submit="Save Terms"
      busy={saving.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <Checkbox
        data-autofocus
        label="Enforce the credit limit"
        description="Orders and starts are refused once the balance and the usage not invoiced yet reach it."
        {...controlledCheck(limitEnforced, setLimitEnforced)}
      />
      <Checkbox
        label="Own steps for overdue invoices"
        description="Instead of those in Supplier Settings."
        {...controlledCheck(isOwn, setOwn)}
      />
      {isOwn && (
        <>
          <TextInput label="Notice after days" {...field} {...fieldOf('warn')} />
          <TextInput label="Hold new orders after days" {...field} {...fieldOf('hold')} />
          <TextInput label="Stop machines at night after days" {...field} {...fieldOf('stop')} />
        </>
      )}
      <TextInput
        label="Pause until"
        description="No step applies until the end of this day. Optional."
        type="date"
        {...fieldOf('paused')}
      />
    </FormDialog>
  )
}
