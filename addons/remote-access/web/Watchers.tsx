import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import type { MessageFromPage, Watcher } from '../contract/remote.ts'
import { WATCHING } from '../contract/watching.ts'
import styles from './Watchers.module.css'

export type Answer = Extract<MessageFromPage, { kind: 'watcher' }>['answer']

interface WatchersProps {
  watchers: readonly Watcher[]
  /** Kind of the notice about watching; null if it is shown elsewhere. */
  watching: 'asked' | 'unasked' | null
  answer: (id: string, answer: Answer) => void
}

export function Watchers({ watchers, watching, answer }: WatchersProps) {
  const requestingWatchers = watchers.filter(({ sees }) => !sees)
  const activeWatchers = watchers.filter(({ sees }) => sees)
  return (
    <section className={styles.watchers} aria-label="Watchers">
      {watching !== null && <p className={styles.door}>{WATCHING[watching]}</p>}
      <output className={styles.region}>
        {activeWatchers.map((watcher) => (
          <Seeing key={watcher.id} watcher={watcher} answer={(isAllowed) => answer(watcher.id, isAllowed)} />
        ))}
      </output>
      <div role="alert" className={styles.region}>
        {requestingWatchers.map(({ id, email }) => (
          <div key={id} className={styles.line} data-asks>
            <span className={styles.text}>
              <strong>
                <Address>{email}</Address>
              </strong>{' '}
              asks to watch your screen.
            </span>
            <Say label="Allow" to={email} primary say={() => answer(id, 'allow')} />
            <Say label="Refuse" to={email} say={() => answer(id, 'end')} />
          </div>
        ))}
      </div>
    </section>
  )
}

function Seeing({ watcher, answer }: { watcher: Watcher; answer: (answer: Answer) => void }) {
  const { email, keyboard, wasAsked } = watcher
  return (
    <span
      className={styles.line}
      data-asks={keyboard === 'asked' || undefined}
      data-types={keyboard === 'held' || undefined}
    >
      <span className={styles.text}>
        <strong>
          <Address>{email}</Address>
        </strong>{' '}
        {SAID[keyboard]}
      </span>
      {keyboard === 'held' ? (
        <Say label="Take back the keyboard" to={email} primary say={() => answer('takeKeyboard')} />
      ) : (
        <Say
          label={keyboard === 'asked' ? 'Give the keyboard' : 'Let them type'}
          to={email}
          primary={keyboard === 'asked'}
          say={() => answer('giveKeyboard')}
        />
      )}
      {keyboard === 'asked' && <Say label="Keep the keyboard" to={email} say={() => answer('takeKeyboard')} />}
      {wasAsked && <Say label="Stop watching" to={email} say={() => answer('end')} />}
    </span>
  )
}

const SAID = {
  none: 'is watching this screen.',
  asked: 'is watching this screen and asks for the keyboard.',
  held: 'has the keyboard. Your typing is ignored until you take it back.',
} as const

interface SayProps {
  label: string
  to: string
  primary?: boolean
  say: () => void
}

const Say = ({ label, to, primary = false, say }: SayProps) => (
  <button type="button" className={styles.button} data-primary={primary || undefined} onClick={say}>
    {label}
    <span className="visually-hidden">: {to}</span>
  </button>
)
