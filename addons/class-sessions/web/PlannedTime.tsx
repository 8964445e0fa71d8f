import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import { formatCountdown } from '@trainyard/trainings/web/daily-window.ts'

interface PlannedTimeProps {
  machine: Pick<Machine, 'statusReason' | 'earlyStart'>
  readyAt: string
}

/** Shows when a planned machine will be ready, with a countdown. */
export default function PlannedTime({ machine: { statusReason, earlyStart }, readyAt }: PlannedTimeProps) {
  const now = useSeconds(true)
  const at = new Date(readyAt)
  return (
    <p>
      <strong>{statusReason ?? 'Ready'}</strong>
      {at > now ? `, in ${formatCountdown(at, now)}` : ', about now'}
      {!earlyStart && <span className="dim"> · It starts automatically in time for the class.</span>}
    </p>
  )
}
