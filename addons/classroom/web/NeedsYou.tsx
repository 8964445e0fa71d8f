import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import type { Seat } from '../contract/classroom.ts'
import { HAND_REASONS } from '../contract/classroom-words.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'
import { HandIcon } from '@trainyard/platform/web/ui/HandIcon.tsx'
import styles from './NeedsYou.module.css'
import { learnersInNeed, placeText } from './seats.ts'

interface NeedsYouProps {
  seats: readonly Seat[]
  /** Places of raised hands in the queue, by machine. */
  queue: ReadonlyMap<string, number>
  hiddenAs: (machine: string) => string | null
  open: (machine: string) => void
}

/** Learners with a raised hand or a failing machine, each with the reasons and one button. */
export function NeedsYou({ seats, queue, hiddenAs, open }: NeedsYouProps) {
  const learners = learnersInNeed(seats, queue)
  return (
    <section
      className={`panel ${styles.panel}`}
      aria-labelledby="needs-you"
      data-empty={learners.length === 0 || undefined}
    >
      <h2 id="needs-you">Needs you</h2>
      {learners.length === 0 ? (
        <p className="dim">No raised hands and no failing machines.</p>
      ) : (
        <ul className={styles.list}>
          {learners.map(([first, ...rest]) => {
            const { machine, handRaisedAt, handReason } = first
            const hidden = hiddenAs(machine._id)
            const broken = [first, ...rest].filter((seat) => seat.machine.status === 'Failing')
            const reasons = broken.map((seat) => (hidden === null && seat.machine.statusReason) || 'Failing')
            return (
              <Line
                key={machine.email}
                kind={handRaisedAt === null ? 'failing' : 'hand'}
                who={hidden ?? learnerOf(machine)}
                text={[
                  ...(handRaisedAt === null ? [] : [placeText(queue.get(machine._id)!)]),
                  ...(handReason === null ? [] : [HAND_REASONS[handReason]]),
                  ...new Set(reasons),
                ].join(' · ')}
                action={handRaisedAt === null ? 'Why?' : 'Help'}
                act={() => open((broken[0] ?? first).machine._id)}
              />
            )
          })}
        </ul>
      )}
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
