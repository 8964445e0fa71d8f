import { ICalCalendarMethod, ICalEventStatus, default as ical } from 'ical-generator'

export interface FeedClassSession {
  readonly id: string
  readonly training: string
  readonly startsAt: Date
  /** End of the session; null if only the start is known. */
  readonly stopsAt: Date | null
  readonly skipped: boolean
  /** Description of the event; by default, that the machines run. */
  readonly text?: string
  /** Number of changes. */
  readonly revision: number
  readonly revisedAt: Date
}

export interface Feed {
  readonly name: string
  readonly url: string
  readonly now: Date
  readonly sessions: readonly FeedClassSession[]
}

/** Interval at which calendar programs should read a link again. */
const REFRESH_SECONDS = 3_600

/**
 * Returns sessions as iCalendar (RFC 5545). Every session is an event with instants in UTC and without a recurrence
 * rule, so that calendar programs need no time zones and no exceptions. Skipped sessions are cancelled events.
 */
export function icsOf({ name, url, now, sessions }: Feed): string {
  const calendar = ical({
    name: escaped(name),
    prodId: { company: 'Trainyard', product: 'Sessions', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const { id, training, startsAt, stopsAt, skipped, text, revision, revisedAt } of sessions) {
    calendar.createEvent({
      id: `${id}@trainyard`,
      stamp: now,
      sequence: revision,
      lastModified: revisedAt,
      start: startsAt,
      end: stopsAt,
      summary: skipped ? `${training} (cancelled)` : training,
      description: text ?? `The machines of ${training} run during this session.`,
      url,
      status: skipped ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  }
  return calendar.toString()
}

/** Returns the opening of an access window as a calendar file. @param url address of the portal for users */
export const openingCalendar =
  (url: string) =>
  ({
    training,
    startsAt,
    stopsAt,
    now,
  }: Pick<FeedClassSession, 'training' | 'startsAt' | 'stopsAt'> & { now: Date }): string =>
    icsOf({
      name: training,
      url,
      now,
      sessions: [
        {
          id: `${encodeURIComponent(training)}-${startsAt.getTime()}`,
          training,
          startsAt,
          stopsAt,
          skipped: false,
          revision: 0,
          revisedAt: now,
          text: `Access to ${training} is open. Start your machine in the portal.`,
        },
      ],
    })

/** Escapes a text (RFC 5545, 3.3.11). The library escapes the texts of events, but not the calendar's name. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`)
