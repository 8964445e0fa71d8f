import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import attention from './Attention.module.css'
import type { Training } from './board.ts'
import styles from './Trainings.module.css'

interface NeedsYouProps {
  trainings: readonly Training[]
  whose: Choice
}

/** Problems that keep learners from their machines, each with the screen that solves it. */
export function NeedsYou({ trainings, whose }: NeedsYouProps) {
  const lines = trainings
    .flatMap(({ training, failing, runningOut }) => [
      { training, kind: 'Failing', count: failing, problem: 'with an error' },
      { training, kind: 'Hours', count: runningOut, problem: 'with quota running out' },
    ])
    .filter(({ count }) => count > 0)
  if (lines.length === 0) return null
  return (
    <section className="panel" aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      <ul className={styles.needs}>
        {lines.map(({ training, kind, count, problem }) => (
          <li key={`${training} ${kind}`}>
            <span className={styles.kind} data-kind={kind}>
              {kind}
            </span>
            <span className={styles.name}>
              {countOf(count, 'machine')} {problem}
            </span>
            <span className="dim">{training}</span>
            <ScreenLink to="/vm/vmdetails" search={{ ...whose, training }} className={attention.action}>
              Open the console
              <span className="visually-hidden"> of {training}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
