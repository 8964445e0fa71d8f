import IconX from '@tabler/icons-react/icons/IconX'
import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { holidays as holidayCalls } from '../../contract/class-session.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
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
  const form = useShapedForm({
    shape: holidayCalls.add.body,
    initialValues: { date: '', name: '' },
    bodyOf: ({ date, name }) => ({ ...organisationQuery, date, name: name.trim() }),
  })
  const adding = useAction(api.holidays.add, { invalidates: INVALIDATES, onDone: form.reset })
  const removing = useAction((day: string) => api.holidays.remove({ ...organisationQuery, date: day }), {
    invalidates: INVALIDATES,
  })
  const submit = form.onSubmit((holiday) => {
    if (!adding.isPending) adding.mutate(holiday)
  })
  return (
    <Dialog title="Holidays" close={close} foot={<CloseButton close={close} />}>
      <div className="stack">
        <p className={styles.hint}>
          New weekly classes of the organisation leave these days out. Existing sessions on a holiday are marked in the
          week.
        </p>
        <form className={styles.fields} noValidate onSubmit={submit}>
          <DateField label="Date" {...form.getInputProps('date')} />
          <TextInput
            label="Name"
            inputContainer={(input) => (
              <div className="row">
                {input}
                <Button type="submit" variant="default" disabled={adding.isPending}>
                  Add holiday
                </Button>
              </div>
            )}
            {...form.getInputProps('name')}
          />
        </form>
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
                      <IconX size={16} aria-hidden />
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
