import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Machine } from '../contract/machine.ts'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { readRoster } from '../contract/learner-list.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { type MachineDialogProps, machinesText, placesOf } from './machine-dialog.ts'

/**
 * Assigns new learners to one or more machines. If the user pastes several addresses into a field, they fill this field
 * and the following ones.
 */
export default function HandOverMachine({ machines, training, close }: MachineDialogProps) {
  const id = useId()
  const [entered, setEntered] = useState<readonly string[]>(() => machines.map(() => ''))
  const [reset, setReset] = useState(false)
  const [tried, setTried] = useState(false)
  const emails = entered.map(normaliseEmail)
  const problems = machines.map((machine, place) => problemOf(emails[place]!, machine))
  const people = useQuery(query(api.people.list, training.organization ? { organization: training.organization } : {}))
  const handing = useAction(
    () =>
      api.machine.handOverAll({
        machines: placesOf(machines).map((place, index) => ({ ...place, email: emails[index]! })),
        reset,
      }),
    { invalidates: ['machine', 'people'], refetchesOnFailure: true, onDone: close },
  )
  const fill = (from: number, texts: readonly string[]) =>
    setEntered((now) => now.map((text, place) => texts[place - from] ?? text))
  const isOne = machines.length === 1
  const anyRuns = machines.some(({ isRunning }) => isRunning)
  return (
    <FormDialog
      title={`Hand Over ${machinesText(machines)}`}
      submit={reset ? 'Hand Over and Reset' : 'Hand Over'}
      busy={handing.isPending && 'Handing over...'}
      onSubmit={() => {
        setTried(true)
        if (problems.every((problem) => problem === null)) handing.mutate()
      }}
      close={close}
    >
      {!isOne && (
        <p className="dim">
          New users receive an invitation. Paste a list into a field to fill the fields from there on.
        </p>
      )}
      {machines.map(({ _id, name, email }, place) => (
        <TextInput
          key={_id}
          data-autofocus={place === 0 || undefined}
          type="email"
          label={isOne ? 'New learner’s e-mail' : `New learner of ${name}`}
          description={isOne ? 'A new user receives an invitation.' : `Now ${email}`}
          autoComplete="off"
          list={`${id}people`}
          {...controlledText(entered[place]!, (text) => fill(place, [text]))}
          onPaste={(event) => {
            const pasted = readRoster(event.clipboardData.getData('text')).people.map(({ email }) => email)
            if (pasted.length < 2) return
            event.preventDefault()
            fill(place, pasted)
          }}
          error={tried && problems[place]}
        />
      ))}
      <datalist id={`${id}people`}>
        {people.data?.people
          .filter((person) => person.userType === 'user' && (!isOne || person.email !== machines[0]!.email))
          .map((person) => (
            <option
              key={person.email}
              value={person.email}
              label={person.name === null ? person.email : givenNameFirst(person.name)}
              aria-label={person.email}
            />
          ))}
      </datalist>
      <Checkbox
        label={isOne ? 'Reset the machine too' : 'Reset the machines too'}
        description="Deletes all data and creates the machine again as ordered, with a new disk. This can’t be undone."
        checked={reset}
        onChange={(event) => setReset(event.currentTarget.checked)}
      />
      <p>
        {isOne
          ? `${machines[0]!.email} immediately loses access to ${machines[0]!.name}, and open terminals end.`
          : 'The current learners immediately lose access, and open terminals end.'}{' '}
        {!reset &&
          `${isOne ? 'The machine gets a new password' : 'The machines get new passwords'} ${anyRuns ? `and ${isOne ? 'restarts' : 'those that run restart'}: unsaved work is lost.` : 'at the next start.'}`}
      </p>
      {!reset && <p>Files, accounts and keys on the machine stay, and so do its used hours.</p>}
    </FormDialog>
  )
}

function problemOf(email: string, { email: from }: Machine): string | null {
  if (!isEmail(email)) return 'Enter an e-mail address such as name@example.com.'
  return email === from ? `It already belongs to ${from}.` : null
}
