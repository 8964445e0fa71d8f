import { useState, type CSSProperties, type PointerEvent } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ClassSession, classSession } from '../../contract/class-session.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { dayDraft, type SessionDraft } from './draft.ts'
import { dayWords, EVENT_WORDS, repeatWords, stateOf } from './session-words.ts'
import styles from './Sessions.module.css'
import { type Block, blocksOn, daysOfWeek, hoursShown, minutesOf, timeAt, timesOfDrag } from './week.ts'

export interface WeekProps extends Pick<ReplyOf<typeof classSession.list>, 'sessions' | 'events' | 'holidays'> {
  monday: string
  today: string
  create: (draft: Partial<SessionDraft>) => void
  choose: (session: ClassSession) => void
}

interface Drag {
  readonly date: string
  readonly down: number
  readonly up: number
}

export function WeekGrid({ monday, today, sessions, events, holidays, create, choose }: WeekProps) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const days = daysOfWeek(monday).map((date) => ({ date, blocks: blocksOn(date, sessions) }))
  const { from, until } = hoursShown(days.flatMap(({ blocks }) => blocks))
  const minutesAt = (event: PointerEvent<HTMLElement>) => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    return from * 60 + ((event.clientY - top) / height) * (until - from) * 60
  }
  const start = (date: string) => (event: PointerEvent<HTMLElement>) => {
    // A touch scrolls the calendar, and a press on a session opens it.
    if (event.pointerType === 'touch' || event.button !== 0 || event.target !== event.currentTarget) return
    if (date < today) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ date, down: minutesAt(event), up: minutesAt(event) })
  }
  const end = () => {
    if (drag === null) return
    setDrag(null)
    const times = timesOfDrag(drag.down, drag.up)
    create({ ...dayDraft(drag.date), start: timeAt(times.from), stop: timeAt(times.until) })
  }
  const place = (first: number, last: number): CSSProperties => ({
    insetBlockStart: `${((first / 60 - from) / (until - from)) * 100}%`,
    blockSize: `${((last - first) / 60 / (until - from)) * 100}%`,
  })
  return (
    <div className={`panel ${styles.week}`} style={{ '--hours': until - from } as CSSProperties}>
      <ol className={styles.hours} aria-hidden="true">
        {Array.from({ length: until - from }, (_, hour) => (
          <li key={hour}>{timeAt((from + hour) * 60)}</li>
        ))}
      </ol>
      {days.map(({ date, blocks }, place_) => {
        const holiday = holidays.find((each) => each.date === date)
        const selected = drag?.date === date ? timesOfDrag(drag.down, drag.up) : null
        return (
          <section
            key={date}
            className={styles.day}
            aria-label={dayWords(date)}
            aria-current={date === today ? 'date' : undefined}
          >
            <div className={styles.dayHead}>
              <span>
                {WEEKDAYS[place_]} {formatDay(date)}
                {date === today && <span className={styles.today}>today</span>}
              </span>
              {date >= today && (
                <button
                  type="button"
                  className={`icon-button ${styles.add}`}
                  aria-label={`New session on ${dayWords(date)}`}
                  title="New session"
                  onClick={() => create(dayDraft(date))}
                >
                  <Icon name="plus" size={14} />
                </button>
              )}
              {holiday && <span className={styles.holiday}>{holiday.name}</span>}
            </div>
            <div
              className={styles.column}
              data-past={date < today || undefined}
              onPointerDown={start(date)}
              onPointerMove={(event) => drag?.date === date && setDrag({ ...drag, up: minutesAt(event) })}
              onPointerUp={end}
              onPointerCancel={() => setDrag(null)}
            >
              {events
                .filter((event) => event.date === date)
                .map(({ time, kind }) => (
                  <span
                    key={`${time} ${kind}`}
                    className={styles.event}
                    style={place(clamp(minutesOf(time), from * 60, until * 60 - 30), 0)}
                  >
                    {time} {EVENT_WORDS[kind]}
                  </span>
                ))}
              {selected && (
                <span className={styles.selected} style={place(selected.from, selected.until)}>
                  {timeAt(selected.from)} to {timeAt(selected.until)}
                </span>
              )}
              {blocks.map((block) => (
                <SessionBlock
                  key={`${block.session._id} ${String(block.continues)}`}
                  block={block}
                  style={place(block.from, block.until)}
                  choose={choose}
                />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

interface SessionBlockProps {
  block: Block
  style: CSSProperties
  choose: (session: ClassSession) => void
}

function SessionBlock({ block: { session, continues }, style, choose }: SessionBlockProps) {
  const { words, tone } = stateOf(session, useNow())
  return (
    <button type="button" className={styles.session} data-tone={tone} style={style} onClick={() => choose(session)}>
      <span className="visually-hidden">{dayWords(session.date)}, </span>
      <strong>{continues ? `until ${session.stop}` : `${session.start} to ${session.stop}`}</strong>
      {words !== '' && <span>{words}</span>}
      {!continues && tone !== 'skipped' && session.cost !== undefined && <span>{formatRupees(session.cost)}</span>}
      <span className="visually-hidden">{repeatWords(session)}</span>
    </button>
  )
}
