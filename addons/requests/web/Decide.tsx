import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChangeRequest } from '../contract/change-request.ts'
import { requestText } from '../contract/change-request-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

export function Decide({ request, close }: { request: ChangeRequest; close: () => void }) {
  const { id, organization, subject, reason, by } = request
  const [entered, setEntered] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const answer = entered.trim()
  const options = {
    invalidates: ['changeRequest', 'machine', 'quota'] as const,
    refetchesOnFailure: true,
    onDone: close,
  }
  const approving = useAction(() => api.changeRequest.decide({ id, organization, decision: 'approved' }), options)
  const refusing = useAction(
    () => api.changeRequest.decide({ id, organization, decision: 'refused', reason: answer }),
    options,
  )
  return (
    <FormDialog
      title="Decide a Request"
      submit="Approve"
      busy={approving.isPending && 'Approving...'}
      beside={{
        label: 'Refuse',
        busy: refusing.isPending && 'Refusing...',
        onClick() {
          if (answer === '') setProblem('Enter why it is refused.')
          else refusing.mutate()
        },
      }}
      onSubmit={() => {
        // The Enter key in the field of the reason submits the form.
        if (answer !== '') setProblem('Choose Refuse, or empty this field to approve.')
        else approving.mutate()
      }}
      close={close}
    >
      <p>
        {by} requests {requestText(subject)}. {reason}
      </p>
      {subject.kind === 'admin' && (
        <p>
          First add the admin to {organization} in <ScreenLink to="/overview">System Admin Panel</ScreenLink>.
        </p>
      )}
      <TextInput
        label="Reason of a refusal"
        description={`${by} sees it.`}
        autoComplete="off"
        maxLength={200}
        {...controlledText(entered, setEntered)}
        error={problem !== null && <span role="alert">{problem}</span>}
      />
    </FormDialog>
  )
}
