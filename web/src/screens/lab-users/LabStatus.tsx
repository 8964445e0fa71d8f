import badge from '#src/ui/StatusBadge.module.css'
import type { LabUser } from './lab-users.ts'

const signals = {
  Creating: 'moving',
  Ready: 'clear',
  Ending: 'moving',
  Ended: 'gone',
  Failing: 'danger',
} as const satisfies Record<LabUser['status'], string>

/** A lab user's state, by the same lamps as a machine's. */
export const LabStatus = ({ status }: { status: LabUser['status'] }) => (
  <span className={badge.badge} data-signal={signals[status]}>
    <span className={badge.lamp} aria-hidden="true" />
    {status}
  </span>
)
