import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, message, name } from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const
const LINK_INCOMPLETE =
  'This calendar link is incomplete. Copy the whole link, or create a new one on Account Security.'

export const calendar = {
  list: defineCall({
    method: 'GET',
    path: '/account/calendars',
    roles: people,
    freshProof: 'none: reads only',
    summary: "Lists the user's calendar links, without their secret part.",
    reply: z.object({
      links: z.array(
        z.object({
          _id: z.string(),
          /** Null for the sessions of all trainings of the user. */
          trainingName: z.string().nullable(),
          organization: z.string().nullable(),
          createdAt: instant,
          lastReadAt: instant.nullable(),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/account/calendars',
    roles: people,
    freshProof: 'none: a link shows the dates of sessions, and the user can revoke it',
    summary:
      'Creates a calendar link (iCalendar) for all trainings of the user or for one. An earlier link for the same is revoked.',
    body: z.strictObject({ trainingName: name.nullable(), organization: name.optional() }),
    reply: z.object({ message: z.string(), url: z.string() }),
  }),
  revoke: defineCall({
    method: 'DELETE',
    path: '/account/calendars',
    roles: people,
    freshProof: 'none: a link shows the dates of sessions, and the user can revoke it',
    summary: "Revokes one of the user's calendar links.",
    query: z.strictObject({ linkId: z.uuid('must be the id of a calendar link') }),
    reply: message,
  }),
  read: defineCall({
    method: 'GET',
    path: '/calendar.ics',
    roles: 'anyone',
    freshProof: 'none: reads only',
    summary: 'Returns the sessions of a calendar link as iCalendar, as far as its owner may see them.',
    query: z.strictObject({ token: z.string(LINK_INCOMPLETE).min(1, LINK_INCOMPLETE).max(64, LINK_INCOMPLETE) }),
    reply: z.string(),
    file: true,
  }),
}
