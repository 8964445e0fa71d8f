import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { dayDraft } from './draft.ts'
import { dayWords, EVENT_WORDS, stateOf, timeWords } from './session-words.ts'
import styles from './Sessions.module.css'
import type { CalendarProps } from './WeekGrid.tsx'

interface DayListProps extends CalendarProps {
  days: readonly string[]
  label: string
}

/** Days as a list, for narrow screens. */
export function DayList({ days, label, today, sessions, events, holidays, create, choose }: DayListProps) {
  const now = useNow()
  return (
    <ol className={`panel ${styles.list}`} aria-label={label}>
      {days.map((date) => {
        const ofDay = sessions.filter((session) => session.date === date)
        const holiday = holidays.find((each) => each.date === date)
        const others = events.filter((event) => event.date === date)
        return (
          <li key={date} aria-current={date === today ? 'date' : undefined}>
            <div className="ends">
              <h3>
                {dayWords(date)}
                {date === today && <span className={styles.today}>today</span>}
              </h3>
              {date >= today && (
                <TextButton label={`New session on ${dayWords(date)}`} onClick={() => create(dayDraft(date))}>
                  New
                </TextButton>
              )}
            </div>
            {holiday && <p className={styles.holiday}>{holiday.name}</p>}
            {ofDay.map((session) => {
              const { words, tone } = stateOf(session, now)
              return (
                <button
                  key={session._id}
                  type="button"
                  className={styles.line}
                  data-tone={tone}
                  onClick={() => choose(session)}
                >
                  <strong>{timeWords(session)}</strong>
                  <span>
                    {[words, session.cost === undefined ? '' : formatRupees(session.cost)]
                      .filter((part) => part !== '')
                      .join(' · ')}
                  </span>
                </button>
              )
            })}
            {others.length > 0 && (
              <p className={styles.hint}>{others.map(({ time, kind }) => `${time} ${EVENT_WORDS[kind]}`).join(', ')}</p>
            )}
          </li>
        )
      })}
    </ol>
  )
}
