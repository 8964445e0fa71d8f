import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import type { MachineDialogProps } from './machine-dialog.ts'

/** Asks for the learner that a machine is handed to, and says what becomes of the former one's access and files. */
export default function HandOverMachine({ machine, of, close }: MachineDialogProps) {
  const { name, resourceGroup, email: from } = machine
  const id = useId()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const email = normaliseEmail(typed)
  const problem = problemOf(email, from)
  const people = useQuery(query(api.people.list, of.organization ? { organization: of.organization } : {}))
  const handing = useMutation({
    mutationFn: () => api.machine.handOver({ name, resourceGroup, email }),
    onSuccess: ({ message }) => {
      notify.status(message)
      close()
    },
    // The form stays: another address may do.
    onError: (error) => notify.alert(error.message),
    onSettled: () => invalidate('machine', 'people'),
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
        description="Without an account yet, they are invited."
        autoComplete="off"
        list={`${id}people`}
        value={typed}
        error={tried && problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
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
        {from} loses {name} at once: it leaves their lists, and their terminals end. It gets a new password{' '}
        {machine.isRunning ? 'and is restarted: work that is not saved is lost' : 'when it is started the next time'}.
      </p>
      <p>
        Files on it, and accounts or keys made inside, stay, and so do its used hours. For an empty machine reset it
        afterwards.
      </p>
    </FormDialog>
  )
}

function problemOf(email: string, from: string): string | null {
  if (!isEmail(email)) return 'Give an e-mail address such as name@example.com.'
  return email === from ? `It is ${from}’s already.` : null
}
