import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, TextInput } from '@mantine/core'
import { numberIn } from '@trainyard/platform/contract/words/money.ts'
import { credit } from '../contract/credit.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { PrepaidState } from './forecast.ts'

const daysIn = (entered: string): number | null => (entered.trim() === '' ? null : numberIn(entered))

/** Sets whether the credit limit is enforced, and the organisation's own policy for overdue invoices. */
export default function TermsDialog({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization, limit, overdue } = state
  const saving = useDialogSubmit(api.credit.setTerms, ['credit', 'machine'], close)
  const form = useShapedForm({
    shape: credit.setTerms.body,
    initialValues: {
      limitEnforced: limit.enforced,
      isOwn: overdue.isOwn,
      overdue: {
        warnDays: String(overdue.warnDays ?? ''),
        holdDays: String(overdue.holdDays ?? ''),
        stopDays: String(overdue.stopDays ?? ''),
      },
      pausedUntil: overdue.pausedUntil ?? '',
    },
    bodyOf: ({ limitEnforced, isOwn, overdue: { warnDays, holdDays, stopDays }, pausedUntil }) => ({
      organization,
      limitEnforced,
      overdue: isOwn ? { warnDays: daysIn(warnDays), holdDays: daysIn(holdDays), stopDays: daysIn(stopDays) } : null,
      pausedUntil: pausedUntil || null,
    }),
  })
  const field = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <FormDialog
      title={`Credit Terms of ${organization}`}
      submit="Save Terms"
      busy={saving.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
      close={close}
    >
      <Checkbox
        data-autofocus
        label="Enforce the credit limit"
        description="Orders and starts are refused once the balance and the usage not invoiced yet reach it."
        {...form.getInputProps('limitEnforced', { type: 'checkbox' })}
      />
      <Checkbox
        label="Own steps for overdue invoices"
        description="Instead of those in Supplier Settings."
        {...form.getInputProps('isOwn', { type: 'checkbox' })}
      />
      {form.values.isOwn && (
        <>
          <TextInput label="Notice after days" {...field} {...form.getInputProps('overdue.warnDays')} />
          <TextInput label="Hold new orders after days" {...field} {...form.getInputProps('overdue.holdDays')} />
          <TextInput label="Stop machines at night after days" {...field} {...form.getInputProps('overdue.stopDays')} />
        </>
      )}
      <DateField
        label="Pause until"
        description="No step applies until the end of this day. Optional."
        {...form.getInputProps('pausedUntil')}
      />
    </FormDialog>
  )
}
