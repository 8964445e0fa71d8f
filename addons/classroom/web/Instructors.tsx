import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Instructor } from '@trainyard/trainings/contract/training.ts'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'

export default function Instructors({ training, close }: { training: TrainingQuery; close: () => void }) {
  const id = useId()
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const email = normaliseEmail(entered)
  const valid = isEmail(email)
  const instructors = useQuery(query(api.classroom.instructors, training))
  const people = useQuery(query(api.people.list, training.organization ? { organization: training.organization } : {}))
  const add = useAction(() => api.classroom.addInstructor({ ...training, email }), {
    invalidates: ['classroom', 'people'],
    onDone() {
      setEntered('')
      setTried(false)
    },
  })
  return (
    <FormDialog
      title="Instructors"
      submit="Add instructor"
      busy={add.isPending && 'Adding...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (valid) add.mutate()
      }}
    >
      <p className={styles.explained}>
        An instructor leads this class: announcements, hands, power, restart, reset, watching with the learner’s
        consent, and schedules. They see no orders, prices, invoices or other trainings.
      </p>
      <Fetched query={instructors} loading={<Skeleton rows={1} height="2.5rem" />}>
        {({ instructors: listed }) =>
          listed.length === 0 ? (
            <p className="dim">This training has no instructors besides the admins.</p>
          ) : (
            <ul className={styles.instructors} aria-label="Instructors">
              {listed.map((instructor) => (
                <Line key={instructor.email} training={training} instructor={instructor} />
              ))}
            </ul>
          )
        }
      </Fetched>
      <TextInput
        data-autofocus
        type="email"
        label="E-mail"
        description="A new user receives an invitation."
        autoComplete="off"
        list={`${id}people`}
        {...controlledText(entered, setEntered)}
        error={tried && !valid && <span role="alert">Enter an e-mail address such as name@example.com.</span>}
      />
      <datalist id={`${id}people`}>
        {people.data?.people
          .filter(({ userType }) => userType === 'user')
          .map((person) => (
            <option
              key={person.email}
              value={person.email}
              label={person.name === null ? person.email : givenNameFirst(person.name)}
              aria-label={person.email}
            />
          ))}
      </datalist>
    </FormDialog>
  )
}

function Line({ training, instructor: { email, name } }: { training: TrainingQuery; instructor: Instructor }) {
  const removal = useAction(() => api.classroom.removeInstructor({ ...training, email }), {
    invalidates: ['classroom'],
  })
  return (
    <li>
      <span>
        {name !== null && <strong>{givenNameFirst(name)} </strong>}
        <span className={name === null ? undefined : 'dim'}>
          <Address>{email}</Address>
        </span>
      </span>
      <Button
        variant="default"
        size="xs"
        disabled={removal.isPending}
        aria-label={`Remove ${email}`}
        onClick={() => removal.mutate()}
      >
        Remove
      </Button>
    </li>
  )
}
