import { type FormEvent, useId, useState } from 'react'
import type { GuideQuestionView } from '../contract/guide.ts'
import styles from './Guide.module.css'
import { StateIcon } from './StateIcon.tsx'
import type { GuideActions } from './useGuide.ts'
import { points } from './words.ts'

export function Question({
  question,
  lang,
  guide,
}: {
  question: GuideQuestionView
  lang: string | undefined
  guide: GuideActions
}) {
  const { id, kind, text, choices, correct, attemptsLeft, explanation } = question
  const name = useId()
  const [picked, setPicked] = useState<readonly number[]>([])
  const [typed, setTyped] = useState('')
  const isOver = correct === true || attemptsLeft === 0
  const isChoice = kind === 'one' || kind === 'many'
  const pick = (index: number, checked: boolean) =>
    setPicked(kind === 'one' ? [index] : checked ? [...picked, index] : picked.filter((each) => each !== index))
  const send = (event: FormEvent) => {
    event.preventDefault()
    void guide.answer(question, isChoice ? [...picked] : typed)
  }
  const state = correct === null ? 'open' : correct ? 'green' : 'red'
  return (
    <form className={styles.task} lang="en" data-state={state} onSubmit={send}>
      <fieldset className={styles.question} disabled={isOver}>
        <legend>
          <StateIcon state={state} />
          <span lang={lang}>{text}</span>
        </legend>
        {isChoice ? (
          choices.map((choice, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- an answer is the number of a choice
            <label key={index} lang={lang}>
              <input
                type={kind === 'one' ? 'radio' : 'checkbox'}
                name={name}
                checked={picked.includes(index)}
                onChange={({ currentTarget }) => pick(index, currentTarget.checked)}
              />
              {choice}
            </label>
          ))
        ) : (
          <input
            type="text"
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            aria-label={text}
            lang={lang}
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </fieldset>
      <p className={styles.position}>
        {correct === null ? 'Open' : correct ? 'Correct' : 'Not correct'} · {question.points} of{' '}
        {points(question.maximum)}
        {attemptsLeft !== null && !isOver && ` · ${attemptsLeft === 1 ? '1 attempt' : `${attemptsLeft} attempts`} left`}
      </p>
      {explanation !== null && <p lang={lang}>{explanation}</p>}
      {!isOver && (
        <div className={styles.actions}>
          <button
            type="submit"
            className={styles.button}
            disabled={guide.busy !== null || (isChoice ? picked.length === 0 : typed.trim() === '')}
          >
            {guide.busy === `answer ${id}` ? 'Sending...' : 'Answer'}
            <span className="visually-hidden" lang={lang}>
              : {text}
            </span>
          </button>
        </div>
      )}
    </form>
  )
}
