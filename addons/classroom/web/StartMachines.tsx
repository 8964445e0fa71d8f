import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Ahead } from '@trainyard/usage/web/Ahead.tsx'
import { formatCountdown } from '@trainyard/trainings/web/daily-window.ts'

interface StartMachinesProps {
  training: TrainingQuery
  title: string
  /** Names of the machines to start; null for all stopped ones. */
  names: ReadonlySet<string> | null
  busy: boolean
  start: () => void
  close: () => void
}

/** Asks before machines start, with their number and price and the time until the class. */
export default function StartMachines({ training, title, names, busy, start, close }: StartMachinesProps) {
  const { role } = useMe()
  const startable = useQuery({ ...query(api.classroom.startable, training), staleTime: 0 })
  const machines = startable.data?.machines.filter(({ name }) => names === null || names.has(name))
  return (
    <ConfirmDialog
      title={title}
      confirm={
        machines === undefined || machines.length === 0 ? 'Start' : `Start ${countOf(machines.length, 'machine')}`
      }
      busy={busy && 'Starting...'}
      may={
        machines === undefined ? 'The machines are being counted.' : machines.length > 0 || 'There is nothing to start.'
      }
      onConfirm={start}
      close={close}
    >
      <Fetched query={startable} loading={<Skeleton rows={2} height="1.5rem" />}>
        {({ classAt, timeZone }) => (
          <>
            <Effect machines={machines!} classAt={classAt === null ? null : new Date(classAt)} timeZone={timeZone} />
            {role !== 'user' && <Ahead {...training} />}
          </>
        )}
      </Fetched>
    </ConfirmDialog>
  )
}

interface EffectProps {
  machines: readonly { readonly planned: boolean; readonly hourlyPrice: number | null }[]
  classAt: Date | null
  timeZone: string
}

function Effect({ machines, classAt, timeZone }: EffectProps) {
  const now = useNow()
  const planned = machines.filter((machine) => machine.planned).length
  const prices = machines.flatMap(({ hourlyPrice }) => hourlyPrice ?? [])
  return (
    <>
      <p>
        {countOf(machines.length, 'machine')} {machines.length === 1 ? 'starts' : 'start'} now
        {planned > 0 && `, of which ${planned} ${planned === 1 ? 'does' : 'do'} not exist yet`}.
        {prices.length > 0 &&
          ` ${prices.length === 1 ? 'It costs' : 'Together they cost'} ${formatRupees(prices.reduce((sum, price) => sum + price, 0))} an hour.`}
      </p>
      {classAt !== null && classAt > now && (
        <p>
          The class starts in {formatCountdown(classAt, now)}, on{' '}
          {dayjs(classAt).tz(timeZone).format('ddd D MMM HH:mm')}.{' '}
          {planned > 0 && 'Its machines start in time without this.'}
        </p>
      )}
    </>
  )
}
