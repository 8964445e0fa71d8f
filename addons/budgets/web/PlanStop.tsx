import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { waste } from '../contract/waste.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { planWeekly } from '@trainyard/schedules/web/slots.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { formatHours } from '@trainyard/platform/web/ui/hours.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { type OrganisationQuery, rupees } from './budget.ts'

type Proposed = ReplyOf<typeof waste.schedule>

interface PlanStopProps {
  organisationQuery: OrganisationQuery
  trainingName: string
  close: () => void
}

export default function PlanStop({ organisationQuery, trainingName, close }: PlanStopProps) {
  const trainingQuery = { ...organisationQuery, trainingName }
  const proposed = useQuery(query(api.waste.schedule, trainingQuery))
  const plan = provided(planWeekly)
  const planning = useAction((rule: NonNullable<Proposed['rule']>) => plan!(api, trainingQuery, rule), {
    invalidates: ['schedule', 'waste'],
    onDone: close,
  })
  const rule = proposed.data?.rule ?? null
  const blocks = proposed.data?.conflicts.some((conflict) => conflict.blocks) ?? false
  return (
    <Dialog
      title={`Waste of ${trainingName}`}
      close={close}
      foot={
        <>
          <CloseButton close={close} />
          {plan !== null && rule !== null && !blocks && (
            <Button disabled={planning.isPending} onClick={() => planning.mutate(rule)}>
              {planning.isPending ? 'Scheduling...' : 'Schedule This Shut Down'}
            </Button>
          )}
        </>
      }
    >
      <Fetched query={proposed} loading={<Skeleton rows={3} height="1.25rem" />}>
        {(data) => (
          <div className="stack">
            {sentencesOf(data).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {data.conflicts.map(({ sentence }) => (
              <p key={sentence} role="alert">
                {sentence}
              </p>
            ))}
          </div>
        )}
      </Fetched>
    </Dialog>
  )
}

function sentencesOf({
  rule,
  reason,
  lostPaiseAWeek,
  savedPaiseAWeek,
  savedSecondsAWeek,
  stopsAWeek,
  timeZone,
  weeks,
}: Proposed): string[] {
  if (rule === null) return [reason!]
  const days = formatWeekdays(rule.weekdays)
  return [
    `Shut Down ${days === 'every day' ? days : `on ${days}`} at ${rule.time} (${timeZone}), until ${formatDate(rule.until)}.`,
    `It would have saved ${rupees(savedPaiseAWeek)} of the ${rupees(lostPaiseAWeek)} wasted per week: ${formatHours(savedSecondsAWeek)} hours, with ${stopsAWeek} machine shut downs.`,
    `${weeks === 1 ? 'In the one week' : `In the ${weeks} weeks`} of the last four in which it ran, no machine was used at that time or within two hours. Data on the machines is kept; the next user starts a machine again.`,
  ]
}
