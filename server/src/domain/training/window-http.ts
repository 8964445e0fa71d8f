import type { HandlersOf } from '../../core/handler.ts'
import { trainingAtAnyHour } from './scope.ts'
import { windowOf } from './window.ts'

export const accessWindowHandlers: HandlersOf<'accessWindow'> = {
  // Whoever is shut out may still ask when it is open.
  async read(db, { actor, query }) {
    const { id } = await trainingAtAnyHour(db, actor, query)
    const { start, stop, timeZone } = await windowOf(db, id)
    return { loginStart: start, loginStop: stop, timeZone }
  },
}
