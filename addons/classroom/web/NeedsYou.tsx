import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import type { Seat } from '../contract/classroom.ts'
import { HAND_REASONS } from '../contract/classroom-words.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'
import { HandIcon } from '@trainyard/platform/web/ui/HandIcon.tsx'
import styles from './NeedsYou.module.css'
import { placeText } from './seats.ts'

interface NeedsYouProps {
  seats: readonly Seat[]
  /** Places of raised hands in the queue, by machine. */
  queue: ReadonlyMap<string, number>
  hiddenAs: (machine: string) => string | null
  open: (machine: string) => void
}

/** Raised hands and failing machines, each with its reason and one button, beside the seats. */
export function NeedsYou({ seats, queue, hiddenAs, open }: NeedsYouProps) {
  const raised = seats
    .filter(({ handRaisedAt }) => handRaisedAt !== null)
    .toSorted((a, b) => queue.get(a.machine._id)! - queue.get(b.machine._id)!)
  const failing = seats.filter(({ machine }) => machine.status === 'Failing')
  if (raised.length + failing.length === 0) return null
  return (
    <section className={`panel ${styles.panel}`} aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      <ul className={styles.list}>
        {raised.map(({ machine, handReason }) => (
          <Line
            key={machine._id}
            kind="hand"
            who={hiddenAs(machine._id) ?? learnerOf(machine)}
            text={[placeText(queue.get(machine._id)!), ...(handReason === null ? [] : [HAND_REASONS[handReason]])].join(
              ' · ',
            )}
            action="Help"
            act={() => open(machine._id)}
          />
        ))}
        {failing.map(({ machine }) => (
          <Line
            key={`${machine._id} failing`}
            kind="failing"
            who={hiddenAs(machine._id) ?? learnerOf(machine)}
            text={hiddenAs(machine._id) === null ? (machine.statusReason ?? 'Failing') : 'Failing'}
            action="Why?"
            act={() => open(machine._id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  kind: 'hand' | 'failing'
  who: string
  text: string
  action: string
  act: () => void
}

const Line = ({ kind, who, text, action, act }: LineProps) => (
  <li className={styles.line}>
    <span className={styles.sign} data-kind={kind}>
      {kind === 'hand' ? <HandIcon size={16} /> : <IconAlertTriangle size={16} stroke={1.6} aria-hidden />}
    </span>
    <span className={styles.who}>
      <strong>{who}</strong>
      <span className={styles.text}>{text}</span>
    </span>
    <button type="button" className={styles.button} aria-label={`${action} ${who}`} onClick={act}>
      {action}
    </button>
  </li>
)
