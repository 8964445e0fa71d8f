import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { daysOf, type LabUser, type LabUserSource } from './lab-users.ts'

interface AddUserProps {
  source: LabUserSource<LabUser>
  close: () => void
}

export default function AddUser({ source, close }: AddUserProps) {
  const [username, setUsername] = useState('')
  const [personalEmail, setPersonalEmail] = useState('')
  const [duration, setDuration] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const creation = useDialogSubmit(source.create, [source.list], close, {
    onFailed: (error) => setProblem(sentenceOf(error, ALERTS.userCreateFailed)),
    done: ALERTS.userCreated,
  })
  const submit = () => {
    const days = daysOf(duration, SANDBOX_DAYS_MAX)
    if ([username, personalEmail, duration].some((entered) => entered.trim() === '')) setProblem(ALERTS.fillInAll)
    else if (!isEmail(personalEmail.trim())) setProblem('Enter a personal email such as name@example.com.')
    else if (days === null) setProblem(`Enter a duration from 1 to ${SANDBOX_DAYS_MAX} days.`)
    else creation.mutate({ username: username.trim(), personalEmail: personalEmail.trim(), duration: days })
  }
  const field = (value: string, set: (to: string) => void) =>
    controlledText(value, (text) => {
      set(text)
      setProblem(null)
    })
  return (
    <FormDialog
      title="Add User"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      onSubmit={submit}
      close={close}
    >
      {problem && (
        <p role="alert" style={{ color: 'var(--danger)' }}>
          {problem}
        </p>
      )}
      <TextInput
        data-autofocus
        label="Username"
        description="The sign-in name: letters, digits, dots, underscores and hyphens."
        autoComplete="off"
        autoCapitalize="none"
        maxLength={64}
        {...field(username, setUsername)}
      />
      <TextInput
        label="Personal Email"
        description="The invitation is sent to this address."
        type="email"
        autoComplete="off"
        {...field(personalEmail, setPersonalEmail)}
      />
      <TextInput
        label="Duration (days)"
        description="At its end, access is blocked and the user is deleted."
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        {...field(duration, setDuration)}
      />
    </FormDialog>
  )
}
