import { useId, useState } from 'react'
import type { TerminalHandle } from '@trainyard/remote-access/web/slots.ts'
import type { GuideTaskView } from '../contract/guide.ts'
import { isFinished } from './class-results.ts'
import styles from './Guide.module.css'
import { GuideText } from './GuideText.tsx'
import { StateIcon } from './StateIcon.tsx'
import type { GuideActions } from './useGuide.ts'
import { CHECK_WORDS, points, TASK_WORDS } from './words.ts'

interface TaskProps {
  task: GuideTaskView
  /** On a phone, its button to check it is in the footer of the guide. */
  isInFooter: boolean
  /** Language of its texts. */
  lang: string | undefined
  guide: GuideActions
  terminal: TerminalHandle | null
}

export function Task({ task, isInFooter, lang, guide, terminal }: TaskProps) {
  const heading = useId()
  const [confirms, setConfirms] = useState(false)
  const { id, title, state, checks, hints, nextHint, needs, canSolve } = task
  const isDone = isFinished(state)
  const isBusy = guide.busy !== null
  const of = (
    <span className="visually-hidden" lang={lang}>
      : {title}
    </span>
  )
  return (
    <section className={styles.task} lang="en" aria-labelledby={heading} data-state={state}>
      <h3 id={heading}>
        <StateIcon state={state} />
        <span lang={lang}>{title}</span>
      </h3>
      <p className={styles.position}>
        {TASK_WORDS[state]} · {task.points} of {points(task.maximum)}
      </p>
      {checks.some((check) => check.state !== null) && (
        <ul className={styles.checks}>
          {checks.map((check) => (
            <li key={check.id} data-state={check.state ?? undefined}>
              {check.state !== null && <StateIcon state={check.state} />}
              <div>
                <strong lang={lang}>{check.title}</strong>
                <p>
                  {check.state === null ? 'Not checked' : CHECK_WORDS[check.state]}
                  {check.message !== '' && '. '}
                  {/* In either writing direction. */}
                  <bdi>{check.message}</bdi>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {hints.length > 0 && (
        <ul className={styles.hints} aria-label="Hints">
          {hints.map((hint, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- hints are only appended
            <li key={index} lang={lang}>
              <GuideText nodes={hint} terminal={terminal} place={() => null} />
            </li>
          ))}
        </ul>
      )}
      {!isDone && needs.length > 0 && <p className={styles.position}>First finish: {needs.join('; ')}</p>}
      {!isDone && (
        <div className={styles.actions}>
          <button
            type="button"
            className={`${state === 'skipped' ? styles.button : styles.primary} ${isInFooter ? styles.offPhone : ''}`}
            disabled={isBusy || needs.length > 0}
            onClick={() => void guide.check(task)}
          >
            {guide.busy === `check ${id}` ? 'Checking...' : 'Check'}
            {of}
          </button>
          {nextHint !== null && (
            <button type="button" className={styles.quiet} disabled={isBusy} onClick={() => void guide.hint(task)}>
              Hint{nextHint > 0 && ` (−${points(nextHint)})`}
              {of}
            </button>
          )}
          {state !== 'skipped' && (
            <button type="button" className={styles.quiet} disabled={isBusy} onClick={() => void guide.skip(task)}>
              Skip{of}
            </button>
          )}
          {canSolve && needs.length === 0 && !confirms && (
            <button type="button" className={styles.quiet} disabled={isBusy} onClick={() => setConfirms(true)}>
              Solve for me{of}
            </button>
          )}
        </div>
      )}
      {confirms && !isDone && (
        <div className={styles.actions}>
          <p>The portal solves the task on your machine. The task then gives no points.</p>
          <button
            type="button"
            className={styles.button}
            disabled={isBusy}
            onClick={() => {
              void guide.solve(task).then(() => setConfirms(false))
            }}
          >
            {guide.busy === `solve ${id}` ? 'Solving...' : 'Solve'}
            {of}
          </button>
          <button type="button" className={styles.quiet} disabled={isBusy} onClick={() => setConfirms(false)}>
            Cancel
          </button>
        </div>
      )}
    </section>
  )
}
