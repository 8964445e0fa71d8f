import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp'
import IconX from '@tabler/icons-react/icons/IconX'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { TerminalHandle } from '@trainyard/remote-access/web/slots.ts'
import type { GuideRunView } from '../contract/guide.ts'
import { isFinished } from './class-results.ts'
import styles from './Guide.module.css'
import { GuideText, Picture, withoutTitle } from './GuideText.tsx'
import { Question } from './Question.tsx'
import { Task } from './Task.tsx'
import { useGuide } from './useGuide.ts'
import { nameOf } from './language-name.ts'
import { usePanelWidth } from './usePanelWidth.ts'
import { Divider } from './Divider.tsx'

interface GuidePanelProps {
  vmName: string
  run: GuideRunView
  /** What happened to the guide without the learner; null if nothing did. */
  notice: string | null
  setRun: (run: GuideRunView) => void
  terminal: TerminalHandle | null
}

export default function GuidePanel({ vmName, run, notice, setRun, terminal }: GuidePanelProps) {
  const guide = useGuide(vmName, run, setRun)
  const [isHidden, setHidden] = useState(false)
  /** On a phone: the guide covers the machine. */
  const [isInFront, setInFront] = useState(true)
  const width = usePanelWidth()
  const toggle = useRef<HTMLButtonElement>(null)
  const hide = (hidden: boolean) => {
    setHidden(hidden)
    // The pressed button has gone.
    requestAnimationFrame(() => toggle.current?.focus())
  }
  const tab = (front: boolean, label: string) => (
    <button type="button" aria-pressed={isInFront === front} onClick={() => setInFront(front)}>
      {label}
    </button>
  )
  return (
    <>
      <nav aria-label="Guide or machine" className={styles.tabs}>
        {tab(true, 'Guide')}
        {tab(false, 'Machine')}
      </nav>
      {isHidden ? (
        <nav aria-label="Hidden guide" className={styles.hidden}>
          <button ref={toggle} type="button" className={styles.show} onClick={() => hide(false)}>
            <span>Show the guide</span>
          </button>
        </nav>
      ) : (
        <aside
          className={styles.panel}
          style={{ '--guide-width': `${width.value}px` } as object}
          aria-label="Guide"
          data-covers={isInFront || undefined}
        >
          {notice !== null && <p className={styles.notice}>{notice}</p>}
          {run.step === null ? <Start run={run} guide={guide} /> : <Step guide={guide} run={run} terminal={terminal} />}
          <output className="visually-hidden">{guide.said}</output>
          {guide.problem !== null && (
            <p role="alert" className={styles.problem}>
              {guide.problem}
            </p>
          )}
          <button
            ref={toggle}
            type="button"
            className={styles.hide}
            aria-label="Hide the guide"
            title="Hide the guide"
            onClick={() => hide(true)}
          >
            <IconX size={16} aria-hidden />
          </button>
          <Divider width={width} />
        </aside>
      )}
    </>
  )
}

type Guide = ReturnType<typeof useGuide>

/** Languages of the guide by their own names, if it has several. */
const Language = ({ run, guide }: { run: GuideRunView; guide: Guide }) =>
  run.languages.length > 1 && (
    <select
      aria-label="Language"
      lang="en"
      className={styles.language}
      value={run.language}
      disabled={guide.busy !== null}
      onChange={(event) => void guide.chooseLanguage(event.currentTarget.value)}
    >
      {run.languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {nameOf(language)}
        </option>
      ))}
    </select>
  )

function Start({ run, guide }: { run: GuideRunView; guide: Guide }) {
  return (
    <div className={styles.scroll}>
      <p className={styles.position}>
        {run.steps.length} steps · about {run.minutes} minutes · {run.maximum} points
      </p>
      <Language run={run} guide={guide} />
      <h2 lang={run.language}>{run.title}</h2>
      <p lang={run.language}>{run.summary}</p>
      <div className={styles.actions}>
        <button
          type="button"
          className={styles.primary}
          disabled={guide.busy !== null}
          onClick={() => void guide.openStep(null)}
        >
          {guide.busy !== null ? 'Preparing your machine...' : 'Start the guide'}
        </button>
      </div>
    </div>
  )
}

interface StepProps {
  guide: Guide
  run: GuideRunView
  terminal: TerminalHandle | null
}

function Step({ guide, run, terminal }: StepProps) {
  const index = Math.max(
    0,
    run.steps.findIndex(({ id }) => id === run.step),
  )
  const step = run.steps[index]!
  // The buttons of the portal are English.
  const lang = step.isTranslated ? run.language : run.languages[0]
  const scroll = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step.id)
  useEffect(() => {
    if (shown.current === step.id) return
    shown.current = step.id
    scroll.current?.scrollTo({ top: 0 })
    // A learner who types into the machine keeps the focus when an instructor hides the step.
    const focused = document.activeElement
    if (focused === document.body || scroll.current?.parentElement?.contains(focused)) heading.current?.focus()
  }, [step.id])
  const isDone = ({ tasks }: GuideRunView['steps'][number]) =>
    tasks.length > 0 && tasks.every(({ state }) => isFinished(state))
  const open = step.tasks.find(({ state }) => !isFinished(state))
  const inFooter = open?.needs.length === 0 ? open : undefined
  const place = (tag: 'task' | 'question', id: string): ReactNode => {
    const task = tag === 'task' && step.tasks.find((each) => each.id === id)
    if (task) return <Task task={task} isInFooter={task === inFooter} lang={lang} guide={guide} terminal={terminal} />
    const question = tag === 'question' && step.questions.find((each) => each.id === id)
    return question ? <Question question={question} lang={lang} guide={guide} /> : null
  }
  return (
    <>
      <div ref={scroll} className={styles.scroll} lang={lang}>
        <ol className={styles.progress} lang="en" aria-label="Steps">
          {run.steps.map((each, at) => (
            <li key={each.id}>
              <button
                type="button"
                aria-label={`Step ${at + 1}: ${each.title}${isDone(each) ? ', done' : ''}`}
                aria-current={at === index ? 'step' : undefined}
                title={each.title}
                data-done={isDone(each) || undefined}
                onClick={() => void guide.openStep(each.id)}
              />
            </li>
          ))}
        </ol>
        <p className={styles.position} lang="en">
          Step {index + 1} of {run.steps.length} · {run.points} of {run.maximum} points
          {step.optional && ' · optional'}
        </p>
        <Language run={run} guide={guide} />
        {!step.isTranslated && (
          <p className={styles.position} lang="en">
            This step is not translated to {nameOf(run.language, 'en')}.
          </p>
        )}
        <h2 ref={heading} tabIndex={-1}>
          {step.title}
        </h2>
        {!step.isPrepared && (
          <div className={styles.notPrepared} lang="en">
            {guide.busy === 'step' ? (
              <p>Preparing your machine for this step...</p>
            ) : (
              <>
                <p>Your machine is not prepared for this step.</p>
                <button type="button" className={styles.button} onClick={() => void guide.openStep(step.id)}>
                  Prepare it
                </button>
              </>
            )}
          </div>
        )}
        {step.note.length > 0 && (
          <section className={styles.note} lang="en" aria-label="Note from your instructor">
            <strong>Note from your instructor</strong>
            <GuideText nodes={step.note} terminal={terminal} place={() => null} />
          </section>
        )}
        <GuideText
          nodes={withoutTitle(step.text, step.title)}
          terminal={terminal}
          place={place}
          picture={(path, text) => <Picture address={guide.pictureAddress(path)} text={text} />}
        />
      </div>
      <nav className={styles.footer} aria-label="Steps of the guide">
        <button
          type="button"
          className={styles.quiet}
          disabled={index === 0}
          onClick={() => void guide.openStep(run.steps[index - 1]!.id)}
        >
          <span className={styles.back}>
            <IconChevronUp size={16} aria-hidden />
          </span>
          Back
        </button>
        {inFooter && (
          <button
            type="button"
            className={`${styles.primary} ${styles.onPhone}`}
            disabled={guide.busy !== null}
            onClick={() => void guide.check(inFooter)}
          >
            {guide.busy === `check ${inFooter.id}` ? 'Checking...' : 'Check'}
            <span className="visually-hidden">: {inFooter.title}</span>
          </button>
        )}
        {index < run.steps.length - 1 && (
          <button type="button" className={styles.button} onClick={() => void guide.openStep(run.steps[index + 1]!.id)}>
            Next
            <span className={styles.next}>
              <IconChevronUp size={16} aria-hidden />
            </span>
          </button>
        )}
      </nav>
    </>
  )
}
