import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useRef, useState, type CSSProperties, type PointerEvent } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ClassSession, classSession } from '../../contract/class-session.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { dayDraft, moveDraft, type SessionDraft } from './draft.ts'
import { dayWords, EVENT_WORDS, repeatWords, stateOf } from './session-words.ts'
import styles from './Sessions.module.css'
import {
  addDays,
  type Block,
  blocksOn,
  DAY_MINUTES,
  daysOfWeek,
  hoursShown,
  minutesOf,
  STEP_MINUTES,
  timeAt,
  timesOfDrag,
} from './week.ts'

export interface CalendarProps extends Pick<ReplyOf<typeof classSession.list>, 'sessions' | 'events' | 'holidays'> {
  today: string
  create: (draft: Partial<SessionDraft>) => void
  choose: (session: ClassSession) => void
}

interface WeekProps extends CalendarProps {
  monday: string
  /** Opens the form that changes a session, with its new times. */
  change: (draft: SessionDraft) => void
}

/** Place to which a session is dragged: minutes after midnight. */
interface Move {
  readonly session: ClassSession
  readonly date: string
  readonly from: number
}

interface Drag {
  readonly date: string
  readonly down: number
  readonly up: number
}

export function WeekGrid({ monday, today, sessions, events, holidays, create, choose, change }: WeekProps) {
  const [move, setMove] = useState<Move | null>(null)
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
  /** Returns the day and time under the pointer. */
  const placeUnder = ({ clientX, clientY }: PointerEvent<HTMLElement>) => {
    const column = document
      .elementsFromPoint(clientX, clientY)
      .find(
        (element): element is HTMLElement => element instanceof HTMLElement && element.dataset['date'] !== undefined,
      )
    if (column === undefined) return null
    const { top, height } = column.getBoundingClientRect()
    return { date: column.dataset['date']!, minutes: from * 60 + ((clientY - top) / height) * (until - from) * 60 }
  }
  const dragging: Dragging = {
    placeUnder,
    drag: (session, to) =>
      setMove(to === null || to.date < today ? null : { session, date: to.date, from: stepOf(to.minutes) }),
    drop: () => {
      setMove(null)
      if (move !== null) change(moveDraft(move.session, move.date, move.from))
    },
    shift: (session, days, minutes) => {
      const date = addDays(session.date, days)
      if (date >= today) change(moveDraft(session, date, minutesOf(session.start) + minutes))
    },
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
              {date >= today && <AddButton date={date} create={create} />}
              {holiday && <span className={styles.holiday}>{holiday.name}</span>}
            </div>
            <div
              className={styles.column}
              data-date={date}
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
              {move?.date === date && (
                <span className={styles.selected} style={place(move.from, endOf(move))}>
                  {timeAt(move.from)} to {timeAt(endOf(move))}
                </span>
              )}
              {blocks.map((block) => (
                <SessionBlock
                  key={`${block.session._id} ${String(block.continues)}`}
                  block={block}
                  style={place(block.from, block.until)}
                  choose={choose}
                  dragging={dragging}
                />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}

/** Distance from which a press is a drag. */
const MOVED_PIXELS = 5

const stepOf = (minutes: number) => Math.max(0, Math.round(minutes / STEP_MINUTES) * STEP_MINUTES)

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

const endOf = ({ session, from }: Move) =>
  Math.min(DAY_MINUTES, from + Math.max(STEP_MINUTES, minutesOf(session.stop) - minutesOf(session.start)))

interface Place {
  readonly date: string
  readonly minutes: number
}

/** Moves of a session by pointer and keyboard. */
interface Dragging {
  readonly placeUnder: (event: PointerEvent<HTMLElement>) => Place | null
  readonly drag: (session: ClassSession, to: Place | null) => void
  readonly drop: () => void
  readonly shift: (session: ClassSession, days: number, minutes: number) => void
}

/** Days and minutes by which Shift with an arrow key moves a session. */
const SHIFTS: Readonly<Record<string, readonly [days: number, minutes: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -STEP_MINUTES],
  ArrowDown: [0, STEP_MINUTES],
}

interface SessionBlockProps {
  block: Block
  style: CSSProperties
  choose: (session: ClassSession) => void
  dragging: Dragging
}

function SessionBlock({ block: { session, continues, from }, style, choose, dragging }: SessionBlockProps) {
  const now = useNow()
  const { words, tone } = stateOf(session, now)
  const canMove = !continues && !session.skipped && new Date(session.startsAt) > now
  /** Minutes between the start of the session and the pointer, and whether the pointer has moved. */
  const grabbed = useRef<{ readonly at: Place; readonly y: number; readonly x: number; moved: boolean } | null>(null)
  return (
    <button
      type="button"
      className={styles.session}
      data-tone={tone}
      style={style}
      aria-keyshortcuts={canMove ? 'Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight' : undefined}
      onPointerDown={(event) => {
        const at = dragging.placeUnder(event)
        if (!canMove || event.pointerType === 'touch' || event.button !== 0 || at === null) return
        event.currentTarget.setPointerCapture(event.pointerId)
        grabbed.current = { at, x: event.clientX, y: event.clientY, moved: false }
      }}
      onPointerMove={(event) => {
        const grab = grabbed.current
        if (grab === null || event.buttons === 0) return
        grab.moved ||= Math.hypot(event.clientX - grab.x, event.clientY - grab.y) > MOVED_PIXELS
        const to = dragging.placeUnder(event)
        if (grab.moved) dragging.drag(session, to && { ...to, minutes: to.minutes - (grab.at.minutes - from) })
      }}
      onPointerUp={() => grabbed.current?.moved && dragging.drop()}
      onPointerCancel={() => {
        grabbed.current = null
        dragging.drag(session, null)
      }}
      onKeyDown={(event) => {
        const by = event.shiftKey ? SHIFTS[event.key] : undefined
        if (!canMove || by === undefined) return
        event.preventDefault()
        dragging.shift(session, ...by)
      }}
      onClick={() => {
        // A drag ends with a click, too.
        if (grabbed.current?.moved !== true) choose(session)
        grabbed.current = null
      }}
    >
      <span className="visually-hidden">{dayWords(session.date)}, </span>
      <strong>{continues ? `until ${session.stop}` : `${session.start} to ${session.stop}`}</strong>
      {words !== '' && <span>{words}</span>}
      {!continues && tone !== 'skipped' && session.cost !== undefined && <span>{formatRupees(session.cost)}</span>}
      <span className="visually-hidden">{repeatWords(session)}</span>
    </button>
  )
}

export const AddButton = ({ date, create }: { date: string } & Pick<CalendarProps, 'create'>) => (
  <button
    type="button"
    className={`icon-button ${styles.add}`}
    aria-label={`New session on ${dayWords(date)}`}
    title="New session"
    onClick={() => create(dayDraft(date))}
  >
    <IconPlus size={14} aria-hidden />
  </button>
)
