import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatInstant } from '@trainyard/platform/web/ui/time.ts'
import styles from './CalendarLinks.module.css'

const INVALIDATES = ['calendar'] as const

/** The user's calendar links. A new link is for `training`, or for all trainings of the user if `training` is null. */
export function CalendarLinks({ training }: { training: { trainingName: string; organization?: string } | null }) {
  const { timeZone, organization } = useMe()
  const list = useQuery(query(api.calendar.list))
  const [url, setUrl] = useState<string | null>(null)
  const creating = useAction(() => api.calendar.create(training ?? { trainingName: null }), {
    invalidates: INVALIDATES,
    onDone: (reply) => setUrl(reply.url),
  })
  const revoking = useAction((linkId: string) => api.calendar.revoke({ linkId }), {
    invalidates: INVALIDATES,
    onDone: () => setUrl(null),
  })
  const subject = training?.trainingName ?? 'all your trainings'
  return (
    <div className="stack">
      <p className={styles.hint}>
        A calendar link shows the sessions in Outlook, Google Calendar or Apple Calendar and follows every change.
        Anyone who has the link can read the dates: do not publish it, and revoke it if others have seen it.
      </p>
      <Fetched query={list} loading={<Skeleton rows={1} height="2.25rem" />}>
        {({ links }) =>
          links.length > 0 && (
            <ul className={styles.list} aria-label="Calendar links">
              {links.map(({ _id, trainingName, organization: linkOrganization, lastReadAt }) => {
                const name = trainingName ?? 'All trainings'
                return (
                  <li key={_id}>
                    <span>
                      <strong>{name}</strong>
                      {linkOrganization !== null && linkOrganization !== organization && ` (${linkOrganization})`}
                      <span className={styles.hint}>
                        {lastReadAt === null ? ' not read yet' : ` last read ${formatInstant(lastReadAt, timeZone)}`}
                      </span>
                    </span>
                    <TextButton label={`Revoke the calendar link of ${name}`} onClick={() => revoking.mutate(_id)}>
                      Revoke
                    </TextButton>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Fetched>
      {url !== null && (
        <div className={styles.url}>
          <TextInput
            readOnly
            label="Calendar link"
            description="Add it in your calendar program as a calendar from the internet. It is shown only once."
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={url} label="Copy the calendar link" />
        </div>
      )}
      <div>
        <Button variant="default" disabled={creating.isPending} onClick={() => creating.mutate()}>
          New link for {subject}
        </Button>
      </div>
    </div>
  )
}
