import type { HandlersOf } from '../../../core/handler.ts'
import { trainingIgnoringWindow, trainingNames } from './scope.ts'
import { windowOf } from './window.ts'

export const trainingHandlers: HandlersOf<'training'> = {
  async names(db, { actor, query }) {
    return { trainingNames: await trainingNames(db, actor, query.organization) }
  },
}

export const accessWindowHandlers: HandlersOf<'accessWindow'> = {
  // Ignores the access window, so that a learner can see when a closed window opens.
  async read(db, { actor, query }) {
    const { id } = await trainingIgnoringWindow(db, actor, query)
    const { start, stop, days, timeZone, extendedUntil } = await windowOf(db, id)
    return {
      loginStart: start,
      loginStop: stop,
      loginDays: days === null ? null : [...days],
      timeZone,
      extendedUntil: extendedUntil?.toISOString() ?? null,
    }
  },
}
