import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { trainingIgnoringWindow } from '@trainyard/trainings/server/scope.ts'
import { createLink, linksOf, readLink, revokeLink } from './links.ts'

/** @param publicUrl URL of the portal for users */
export const calendarHandlers = (publicUrl: string): HandlersOf<'calendar'> => ({
  async list(db, { actor }) {
    return { links: await linksOf(db, actor.id) }
  },

  async create(tx, { actor, body }) {
    const { trainingName, organization } = body
    if (trainingName === null && actor.organisation === null) {
      throw new Problem('invalid', 'Choose a training: you belong to no organisation.')
    }
    const training =
      trainingName === null ? null : await trainingIgnoringWindow(tx, actor, { trainingName, organization })
    const token = await createLink(tx, actor.id, training)
    return {
      message: 'Calendar link created. It is shown only once.',
      url: `${publicUrl}/api/calendar.ics?token=${token}`,
    }
  },

  async revoke(tx, { actor, query }) {
    await revokeLink(tx, actor.id, query.linkId)
    return { message: 'Calendar link revoked.' }
  },

  async read(tx, { query }) {
    const ics = await readLink(tx, query.token, publicUrl)
    return { name: 'sessions.ics', type: 'text/calendar', content: [ics] }
  },
})
