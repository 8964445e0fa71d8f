import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Sessions.module.css'

const INVALIDATES = ['holidays', 'classSession'] as const

interface HolidaysProps {
  organization: string | undefined
  today: string
  close: () => void
}

export default function Holidays({ organization, today, close }: HolidaysProps) {
  const organisationQuery = organization === undefined ? {} : { organization }
  const list = useQuery(query(api.holidays.list, organisationQuery))
  const [date, setDate] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const adding = useAction(() => api.holidays.add({ ...organisationQuery, date, name: name.trim() }), {
    invalidates: INVALIDATES,
    onDone: () => {
      setDate('')
      setName('')
      setTried(false)
    },
  })
  const removing = useAction((day: string) => api.holidays.remove({ ...organisationQuery, date: day }), {
    invalidates: INVALIDATES,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (date !== '' && name.trim() !== '' && !adding.isPending) adding.mutate()
  }
  return (
    <Dialog title="Holidays" close={close} foot={<CloseButton close={close} />}>
      <div className="stack">
        <p className={styles.hint}>
          New weekly classes of the organisation leave these days out. Existing sessions on a holiday are marked in the
          week.
        </p>
        <form className={styles.fields} noValidate onSubmit={submit}>
          <DateField label="Date" {...controlledText(date, setDate)} />
          <TextInput
            label="Name"
            maxLength={100}
            inputContainer={(input) => (
              <div className="row">
                {input}
                <Button type="submit" variant="default" disabled={adding.isPending}>
                  Add holiday
                </Button>
              </div>
            )}
            {...controlledText(name, setName)}
          />
        </form>
        {tried && (date === '' || name.trim() === '') && (
          <p role="alert" className={styles.problem}>
            Enter the date and the name of the holiday.
          </p>
        )}
        <Fetched query={list} loading={<Skeleton rows={3} height="2.25rem" />}>
          {({ holidays }) =>
            holidays.length === 0 ? (
              <p>No holidays yet.</p>
            ) : (
              <ul className={styles.holidays} aria-label="Holidays">
                {holidays.map((holiday) => (
                  <li key={holiday.date} data-past={holiday.date < today || undefined}>
                    <span>
                      {formatDate(holiday.date)} {holiday.name}
                    </span>
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={`Remove ${holiday.name} on ${formatDate(holiday.date)}`}
                      title="Remove"
                      onClick={() => removing.mutate(holiday.date)}
                    >
                      <Icon name="close" size={16} />
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      </div>
    </Dialog>
  )
}
