import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { useSeconds } from '#src/ui/useSeconds.ts'
import { formatCountdown } from './next-stop.ts'

interface PlannedTimeProps {
  machine: Pick<Machine, 'statusReason' | 'earlyStart'>
  readyAt: string
}

/** Day, time and countdown of a machine that is created in time for a class. */
export function PlannedTime({ machine: { statusReason, earlyStart }, readyAt }: PlannedTimeProps) {
  const now = useSeconds(true)
  const at = new Date(readyAt)
  return (
    <p>
      <strong>{statusReason ?? 'Ready'}</strong>
      {at > now ? `, in ${formatCountdown(at, now)}` : ', about now'}
      {!earlyStart && <span className="dim"> · It starts by itself in time for the class.</span>}
    </p>
  )
}
