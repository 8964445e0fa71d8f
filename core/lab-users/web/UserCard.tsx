import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { useId, type ReactNode } from 'react'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { DeleteButton, RenewButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import type { LabUser } from './lab-users.ts'
import { LabStatus } from './LabStatus.tsx'
import { Term } from './Term.tsx'
import styles from './LabUsers.module.css'

interface UserCardProps {
  user: LabUser
  now: Date
  onRenew: () => void
  onDelete: () => void
  children?: ReactNode
}

export function UserCard({ user, now, onRenew, onDelete, children }: UserCardProps) {
  const id = useId()
  return (
    <li className={`panel ${styles.card}`} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.name}>
          <Address>{user.email}</Address>
        </h2>
        {user.status !== 'Ending' && (
          <>
            <RenewButton name={user.email} onClick={onRenew} />
            <DeleteButton name={user.email} onClick={onDelete} />
          </>
        )}
      </div>
      <div className={styles.about}>
        <LabStatus status={user.status} />
        <span className="dim">{countOf(user.duration, 'day')}</span>
        <span className="dim">
          User ID <span className="mono">{user.userId}</span>
        </span>
      </div>
      {user.statusReason && <p className={styles.reason}>{user.statusReason}</p>}
      <Term start={user.startDate} end={user.endDate} now={now} />
      {children}
    </li>
  )
}
