import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { TextInput } from '@mantine/core'
import { type StatusRequest, taxStatus } from '../contract/tax-status.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { statusWords } from './status-words.ts'
import { StatusEffect } from './StatusEffect.tsx'

export default function DecideRequest({ request, close }: { request: StatusRequest; close: () => void }) {
  const { id, organization, place, gstin, reason, by } = request
  const invalidates = ['taxStatus', 'organisation', 'invoice'] as const
  const approving = useDialogSubmit(api.taxStatus.decide, invalidates, close)
  const rejecting = useAction(api.taxStatus.decide, { invalidates, onDone: close })
  const form = useShapedForm({
    shape: taxStatus.decide.body,
    initialValues: { from: request.from, answer: '' },
    bodyOf: ({ from }) => ({ id, decision: 'approved' as const, from }),
  })
  const { from, answer } = form.values
  const reject = () =>
    form.sendAs(taxStatus.decide.body, { id, decision: 'rejected', answer: answer.trim() }, (body) =>
      rejecting.mutate(body),
    )
  return (
    <FormDialog
      title={`Tax Status of ${organization}`}
      submit="Approve"
      busy={approving.isPending && 'Approving...'}
      beside={{ label: 'Reject', busy: rejecting.isPending && 'Rejecting...', onClick: reject }}
      onSubmit={form.onSubmit((body) => approving.mutate(body))}
      close={close}
    >
      <p>
        {by} requests: {statusWords(request)}, from {formatDate(request.from)}. {reason}
      </p>
      <DateField data-autofocus label="Valid from" {...form.getInputProps('from')} />
      {from !== '' && <StatusEffect organization={organization} place={place} gstin={gstin} from={from} />}
      <TextInput
        label="Reason of a rejection"
        description="The customer sees it."
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps('answer')}
      />
    </FormDialog>
  )
}
