import type { ReadyBy } from '../contract/ready.ts'
import styles from './Ready.module.css'

export const NotReadyList = ({ others, namesHidden = false }: Pick<ReadyBy, 'others'> & { namesHidden?: boolean }) =>
  others.length > 0 && (
    <ul className={styles.others} aria-label="Not ready">
      {others.map(({ name, email, reason }) => (
        <li key={name}>
          {namesHidden ? name : `${email} (${name})`}: {reason}
        </li>
      ))}
    </ul>
  )
