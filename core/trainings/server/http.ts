import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Opening } from './queries.ts'
import { trainingIgnoringWindow, trainingNames } from './scope.ts'
import { nextOpening, windowOf } from './window.ts'

export const trainingHandlers: HandlersOf<'training'> = {
  async names(db, { actor, query }) {
    return { trainingNames: await trainingNames(db, actor, query.organization) }
  },
}

/** @param eventOf returns an opening as iCalendar */
export const accessWindowHandlers = (
  eventOf: (opening: Opening & { readonly now: Date }) => string,
): HandlersOf<'accessWindow'> => ({
  // Ignores the access window, so that a learner can see when a closed window opens.
  async read(db, { actor, query }) {
    const { id } = await trainingIgnoringWindow(db, actor, query)
    const { start, stop, days, timeZone, extendedUntil, open } = await windowOf(db, id)
    const opening = open ? null : await nextOpening(db, id)
    return {
      loginStart: start,
      loginStop: stop,
      loginDays: days === null ? null : [...days],
      timeZone,
      extendedUntil: extendedUntil?.toISOString() ?? null,
      opening: opening && {
        at: opening.startsAt.toISOString(),
        calendar: eventOf({ ...opening, now: await portalNow(db) }),
      },
    }
  },
})
