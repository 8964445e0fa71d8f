import IconHandStop from '@tabler/icons-react/icons/IconHandStop'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconHourglass from '@tabler/icons-react/icons/IconHourglass'
import type { Seat } from '../contract/classroom.ts'
import { HAND_REASONS } from '../contract/classroom-words.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'
import styles from './NeedsYou.module.css'
import { learnersInNeed, placeText } from './seats.ts'

interface NeedsYouProps {
  seats: readonly Seat[]
  /** Places of raised hands in the queue, by machine. */
  queue: ReadonlyMap<string, number>
  /** Why learners make no progress, by the name of their machine. */
  stuck: ReadonlyMap<string, string>
  hiddenAs: (machine: string) => string | null
  open: (machine: string) => void
}

/** Learners with a raised hand or a failing machine, or who are stuck, each with the reasons and one button. */
export function NeedsYou({ seats, queue, stuck, hiddenAs, open }: NeedsYouProps) {
  const learners = learnersInNeed(seats, queue, stuck)
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
            const reasons = [
              ...broken.map((seat) => (hidden === null && seat.machine.statusReason) || 'Failing'),
              ...[first, ...rest].flatMap((seat) => stuck.get(seat.machine.name) ?? []),
            ]
            const kind = handRaisedAt !== null ? 'hand' : broken.length > 0 ? 'failing' : 'stuck'
            return (
              <Line
                key={machine.email}
                kind={kind}
                who={hidden ?? learnerOf(machine)}
                text={[
                  ...(handRaisedAt === null ? [] : [placeText(queue.get(machine._id)!)]),
                  ...(handReason === null ? [] : [HAND_REASONS[handReason]]),
                  ...new Set(reasons),
                ].join(' · ')}
                action={kind === 'failing' ? 'Why?' : 'Help'}
                act={() => open((broken[0] ?? first).machine._id)}
              />
            )
          })}
        </ul>
      )}
    </section>
  )
}

const SIGNS = {
  hand: <IconHandStop size={16} aria-hidden />,
  failing: <IconAlertTriangle size={16} aria-hidden />,
  stuck: <IconHourglass size={16} aria-hidden />,
}

interface LineProps {
  kind: keyof typeof SIGNS
  who: string
  text: string
  action: string
  act: () => void
}

const Line = ({ kind, who, text, action, act }: LineProps) => (
  <li className={styles.line}>
    <span className={styles.sign} data-kind={kind}>
      {SIGNS[kind]}
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
