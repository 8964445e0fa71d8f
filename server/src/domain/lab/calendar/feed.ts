import { ICalCalendarMethod, ICalEventStatus, default as ical } from 'ical-generator'

interface FeedSession {
  readonly id: string
  readonly training: string
  readonly startsAt: Date
  /** End of the session; null if only the start is known. */
  readonly stopsAt: Date | null
  readonly skipped: boolean
  /** Description of the event; by default, that the machines run. */
  readonly text?: string
}

export interface Feed {
  readonly name: string
  readonly url: string
  readonly now: Date
  readonly sessions: readonly FeedSession[]
}

/** Interval at which calendar programs should read a link again. */
const REFRESH_SECONDS = 3_600

/**
 * Returns sessions as iCalendar (RFC 5545). Every session is an event with instants in UTC and without a recurrence
 * rule, so that calendar programs need no time zones and no exceptions. Skipped sessions are cancelled events.
 */
export function icsOf({ name, url, now, sessions }: Feed): string {
  const calendar = ical({
    name,
    prodId: { company: 'Trainyard', product: 'Sessions', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const { id, training, startsAt, stopsAt, skipped, text } of sessions) {
    calendar.createEvent({
      id: `${id}@trainyard`,
      stamp: now,
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
  }: Pick<FeedSession, 'training' | 'startsAt' | 'stopsAt'> & { now: Date }): string =>
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
          text: `Access to ${training} is open. Start your machine in the portal.`,
        },
      ],
    })
