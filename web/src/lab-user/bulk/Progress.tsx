import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { countOf } from '#src/ui/count-of.ts'
import styles from './Bulk.module.css'
import type { Bulk } from './useBulk.ts'

export function Progress({ bulk: { shown, outcomes, total, state } }: { bulk: Bulk }) {
  const full = shown === 100
  return (
    <div className={styles.progress}>
      <progress className="visually-hidden" aria-label="Creating users" value={shown} max={100}>
        {shown}%
      </progress>
      <div className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${shown}%` }} />
      </div>
      <p className="ends">
        <output>{full ? ALERTS.bulkDone : state === 'stopped' ? 'Stopped' : 'Creating users...'}</output>
        <span className="dim">
          {outcomes.size} of {countOf(total, 'user')} · {shown}%
        </span>
      </p>
    </div>
  )
}
