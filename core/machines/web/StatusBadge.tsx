import type { MachineStatus } from '../contract/machine-words.ts'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'

export const signals: Record<MachineStatus, Signal> = {
  Planned: 'still',
  Creating: 'moving',
  Starting: 'moving',
  Running: 'clear',
  Restarting: 'moving',
  Stopping: 'moving',
  Stopped: 'still',
  Resetting: 'moving',
  Failing: 'danger',
  Deleting: 'moving',
  Terminated: 'gone',
}

export const StatusBadge = ({ status }: { status: MachineStatus }) => <Lamp signal={signals[status]}>{status}</Lamp>
