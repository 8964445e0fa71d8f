import badge from '#src/ui/StatusBadge.module.css'
import type { Sandbox } from './account.ts'

const signals = {
  Creating: 'moving',
  Ready: 'clear',
  Frozen: 'still',
  Deleting: 'moving',
  Failing: 'danger',
} as const satisfies Record<Sandbox['status'], string>

/** A sandbox's state, by the same lamps as a machine's. */
export const SandboxStatus = ({ status }: { status: Sandbox['status'] }) => (
  <span className={badge.badge} data-signal={signals[status]}>
    <span className={badge.lamp} aria-hidden="true" />
    {status}
  </span>
)
