import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { isEmail } from '@trainyard/contract/words/email.ts'
import { SANDBOX_DAYS_MAX } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { sentenceOf } from '#src/ui/refusal.ts'
import { daysOf, type LabUser, type LabUserSource } from './lab-users.ts'

interface AddUserProps {
  source: LabUserSource<LabUser>
  close: () => void
}

/** Add User: a name, the personal address that is told, and for how many days. */
export default function AddUser({ source, close }: AddUserProps) {
  const form = useId()
  const cache = useQueryClient()
  // The key lasts as long as the dialog: a second click, or a repeat after a lost answer, makes nobody twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [username, setUsername] = useState('')
  const [personalEmail, setPersonalEmail] = useState('')
  const [duration, setDuration] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const creation = useMutation({
    mutationFn: (days: number) =>
      source.create(
        { username: username.trim(), personalEmail: personalEmail.trim(), duration: days },
        { idempotencyKey },
      ),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return cache.invalidateQueries({ queryKey: source.queryKey })
    },
    onError: (error) => setProblem(sentenceOf(error, ALERTS.userCreateFailed)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (creation.isPending) return
    const days = daysOf(duration, SANDBOX_DAYS_MAX)
    if ([username, personalEmail, duration].some((typed) => typed.trim() === '')) setProblem(ALERTS.fillInAll)
    else if (!isEmail(personalEmail.trim())) setProblem('Enter a personal email such as name@example.com.')
    else if (days === null) setProblem(`Enter a duration from 1 to ${SANDBOX_DAYS_MAX} days.`)
    else creation.mutate(days)
  }
  const typing = (set: (value: string) => void) => (event: { currentTarget: HTMLInputElement }) => {
    set(event.currentTarget.value)
    setProblem(null)
  }
  return (
    <Dialog
      title="Add User"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form}>
            {creation.isPending ? 'Creating...' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={form} className="stack" noValidate onSubmit={submit}>
        {problem && (
          <p role="alert" style={{ color: 'var(--danger)' }}>
            {problem}
          </p>
        )}
        <TextInput
          data-autofocus
          label="Username"
          description="What they sign in with: letters, digits, dots, underscores and hyphens."
          autoComplete="off"
          autoCapitalize="none"
          maxLength={64}
          value={username}
          onChange={typing(setUsername)}
        />
        <TextInput
          label="Personal Email"
          description="Where the invitation goes."
          type="email"
          autoComplete="off"
          value={personalEmail}
          onChange={typing(setPersonalEmail)}
        />
        <TextInput
          label="Duration (days)"
          description="When it is over, access is blocked and the user is deleted."
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={duration}
          onChange={typing(setDuration)}
        />
      </form>
    </Dialog>
  )
}
