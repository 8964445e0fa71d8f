import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import type { LabUser } from './lab-users.ts'

const signals: Record<LabUser['status'], Signal> = {
  Creating: 'moving',
  Ready: 'clear',
  Ending: 'moving',
  Failing: 'danger',
}

export const LabStatus = ({ status }: { status: LabUser['status'] }) => <Lamp signal={signals[status]}>{status}</Lamp>
