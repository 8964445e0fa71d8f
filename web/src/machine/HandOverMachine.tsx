import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useAction } from '#src/api/useAction.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import type { MachineDialogProps } from './machine-dialog.ts'

export default function HandOverMachine({ machine, of, close }: MachineDialogProps) {
  const { name, resourceGroup, email: from } = machine
  const id = useId()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const email = normaliseEmail(typed)
  const problem = problemOf(email, from)
  const people = useQuery(query(api.people.list, of.organization ? { organization: of.organization } : {}))
  const handing = useAction(() => api.machine.handOver({ name, resourceGroup, email }), {
    invalidates: ['machine', 'people'],
    refetchesOnFailure: true,
    onDone: close,
  })
  return (
    <FormDialog
      title={`Hand Over ${name}`}
      submit="Hand Over"
      busy={handing.isPending && 'Handing over...'}
      onSubmit={() => {
        setTried(true)
        if (problem === null) handing.mutate()
      }}
      close={close}
    >
      <TextInput
        data-autofocus
        type="email"
        label="New learner’s e-mail"
        description="A new user receives an invitation."
        autoComplete="off"
        list={`${id}people`}
        {...controlledText(typed, setTyped)}
        error={tried && problem}
      />
      <datalist id={`${id}people`}>
        {people.data?.people
          .filter((person) => person.userType === 'user' && person.email !== from)
          .map((person) => (
            <option
              key={person.email}
              value={person.email}
              label={person.name ?? person.email}
              aria-label={person.email}
            />
          ))}
      </datalist>
      <p>
        {from} immediately loses access to {name}, and open terminals end. The machine gets a new password{' '}
        {machine.isRunning ? 'and restarts: unsaved work is lost' : 'when it is next started'}.
      </p>
      <p>
        Files, accounts and keys on the machine stay, and so do its used hours. To hand over an empty machine, reset it
        afterwards.
      </p>
    </FormDialog>
  )
}

function problemOf(email: string, from: string): string | null {
  if (!isEmail(email)) return 'Enter an e-mail address such as name@example.com.'
  return email === from ? `It already belongs to ${from}.` : null
}
