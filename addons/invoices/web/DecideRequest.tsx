import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StatusRequest } from '../contract/tax-status.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { statusWords } from './status-words.ts'
import { StatusEffect } from './StatusEffect.tsx'

export default function DecideRequest({ request, close }: { request: StatusRequest; close: () => void }) {
  const { id, organization, place, gstin, reason, by } = request
  const [entered, setEntered] = useState({ from: request.from, answer: '' })
  const [problems, setProblems] = useState<Partial<Record<keyof typeof entered, string>> | null>(null)
  const invalidates = ['taxStatus', 'organisation', 'invoice'] as const
  const approving = useDialogSubmit(
    (day: { from: string }) => api.taxStatus.decide({ id, decision: 'approved', ...day }),
    invalidates,
    close,
  )
  const rejecting = useAction(() => api.taxStatus.decide({ id, decision: 'rejected', answer: entered.answer.trim() }), {
    invalidates,
    onDone: close,
  })
  const approve = () =>
    entered.from === '' ? setProblems({ from: 'Enter the first day.' }) : approving.mutate({ from: entered.from })
  const reject = () =>
    entered.answer.trim() === '' ? setProblems({ answer: 'Enter why it is rejected.' }) : rejecting.mutate()
  const fieldOf = typedFields(entered, setEntered, problems)
  return (
    <FormDialog
      title={`Tax Status of ${organization}`}
      submit="Approve"
      busy={approving.isPending && 'Approving...'}
      beside={{ label: 'Reject', busy: rejecting.isPending && 'Rejecting...', onClick: reject }}
      onSubmit={approve}
      close={close}
    >
      <p>
        {by} requests: {statusWords(request)}, from {formatDate(request.from)}. {reason}
      </p>
      <DateField data-autofocus label="Valid from" {...fieldOf('from')} />
      {entered.from !== '' && (
        <StatusEffect organization={organization} place={place} gstin={gstin} from={entered.from} />
      )}
      <TextInput
        label="Reason of a rejection"
        description="The customer sees it."
        autoComplete="off"
        maxLength={200}
        {...fieldOf('answer')}
      />
    </FormDialog>
  )
}
