import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, Suspense, lazy, useRef, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { haveReplied } from '@trainyard/platform/web/ui/have-replied.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Fills, useSections } from '@trainyard/platform/web/shell/Fills.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { ScheduleTable } from './ScheduleTable.tsx'
import { scheduleActions, scheduleSections } from './slots.ts'

const EventForm = lazy(() => import('./EventForm.tsx'))

/** Poll interval in ms for results of schedules. */
const REFRESH_MS = 5_000

export default function Scheduler() {
  const { trainingQuery } = useSelection()
  const [planning, setPlanning] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const schedules = useQuery({ ...query(api.schedule.list, trainingQuery), refetchInterval: REFRESH_MS })
  const sections = useSections(scheduleSections, trainingQuery && { training: trainingQuery })
  if (trainingQuery === null) return <WithoutTraining />
  return (
    <Screen
      actions={
        <>
          <Button
            ref={opener}
            variant={planning ? 'default' : 'filled'}
            leftSection={<IconPlus size={16} aria-hidden />}
            aria-expanded={planning}
            disabled={!schedules.data}
            onClick={() => setPlanning(!planning)}
          >
            New Scheduled Event
          </Button>
          <Fills of={scheduleActions} props={{}} />
        </>
      }
    >
      {planning && schedules.data && (
        <Suspense fallback={<Skeleton rows={1} height="24rem" />}>
          <EventForm
            key={JSON.stringify(trainingQuery)}
            training={trainingQuery}
            timeZone={schedules.data.timeZone}
            close={() => {
              setPlanning(false)
              opener.current?.focus()
            }}
          />
        </Suspense>
      )}
      <section className="stack" aria-labelledby="schedules">
        <h2 id="schedules">Instance Task Scheduler</h2>
        <Fetched query={schedules} loading={<Skeleton rows={5} height="2.25rem" />}>
          {(data) => <ScheduleTable training={trainingQuery} {...data} plan={() => setPlanning(true)} />}
        </Fetched>
      </section>
      {haveReplied(schedules) && (
        <Fragment key={`sections ${JSON.stringify(trainingQuery)}`}>{sections({ training: trainingQuery })}</Fragment>
      )}
    </Screen>
  )
}
