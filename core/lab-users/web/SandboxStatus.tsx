import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import type { Sandbox } from './azure-account.ts'

const signals: Record<Sandbox['status'], Signal> = {
  Creating: 'moving',
  Ready: 'clear',
  Frozen: 'still',
  Deleting: 'moving',
  Failing: 'danger',
}

export const SandboxStatus = ({ status }: { status: Sandbox['status'] }) => (
  <Lamp signal={signals[status]}>{status}</Lamp>
)
