import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { WEEKDAY_NAMES, WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import styles from './MonthGrid.module.css'
import { formatMonth, weeksOf } from './month.ts'
import sessionStyles from './Sessions.module.css'
import { dayWords, EVENT_WORDS, stateOf } from './session-words.ts'
import { AddButton, type CalendarProps } from './WeekGrid.tsx'

interface MonthProps extends CalendarProps {
  month: string
  /** Shows the week of a day. */
  open: (date: string) => void
}

export const MonthGrid = ({ month, open, ...parts }: MonthProps) => (
  <div className={`panel ${styles.box}`}>
    <table className={styles.grid} aria-label={formatMonth(month)}>
      <thead>
        <tr>
          {WEEKDAYS.map((day, place) => (
            <th key={day} scope="col" abbr={WEEKDAY_NAMES[place]}>
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <td
                key={date}
                className={date.startsWith(month) ? undefined : styles.beside}
                aria-current={date === parts.today && date.startsWith(month) ? 'date' : undefined}
              >
                {date.startsWith(month) && <Day date={date} open={open} {...parts} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function Day({
  date,
  open,
  today,
  sessions,
  events,
  holidays,
  create,
  choose,
}: Omit<MonthProps, 'month'> & { date: string }) {
  const now = useNow()
  const holiday = holidays.find((each) => each.date === date)
  return (
    <>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.number}
          aria-label={`Week of ${dayWords(date)}`}
          onClick={() => open(date)}
        >
          <time dateTime={date}>{Number(date.slice(8))}</time>
        </button>
        {date === today && <span className={sessionStyles.today}>today</span>}
        {date >= today && <AddButton date={date} create={create} />}
      </div>
      {holiday && <span className={sessionStyles.holiday}>{holiday.name}</span>}
      {sessions
        .filter((session) => session.date === date)
        .map((session) => {
          const { words, tone } = stateOf(session, now)
          return (
            <button
              key={session._id}
              type="button"
              className={styles.session}
              data-tone={tone}
              title={session.cost === undefined ? undefined : formatRupees(session.cost)}
              onClick={() => choose(session)}
            >
              <span className="visually-hidden">{dayWords(date)}, </span>
              {session.start} to {session.stop}
              {words !== '' && <span>{words}</span>}
            </button>
          )
        })}
      {events
        .filter((event) => event.date === date)
        .map(({ time, kind }) => (
          <span key={`${time} ${kind}`} className={styles.event}>
            {time} {EVENT_WORDS[kind]}
          </span>
        ))}
    </>
  )
}
