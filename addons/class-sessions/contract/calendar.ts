import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { instant, name } from '@trainyard/platform/contract/shapes.ts'

/** Calendar programs of a class behind one address read their links about once an hour. */
const calendars: Limit = { name: 'calendars', per: 'address', max: 600, seconds: MINUTE }

const people = ['user', 'admin', 'superadmin'] as const
const LINK_INCOMPLETE =
  'This calendar link is incomplete. Copy the whole link, or create a new one on Account Security.'

export const calendar = {
  list: call({
    route: 'GET /account/calendars',
    for: people,
    does: "Lists the user's calendar links, without their secret part.",
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
  create: call({
    route: 'POST /account/calendars',
    for: people,
    does: 'Creates a calendar link (iCalendar) for all trainings of the user or for one. An earlier link for the same is revoked.',
    audit: 'created a calendar link',
    body: z.strictObject({ trainingName: name.nullable(), organization: name.optional() }),
    reply: z.object({ message: z.string(), url: z.string() }),
  }),
  revoke: call({
    route: 'DELETE /account/calendars',
    for: people,
    does: "Revokes one of the user's calendar links.",
    audit: 'revoked a calendar link',
    query: z.strictObject({ linkId: z.uuid('must be the id of a calendar link') }),
  }),
  read: call({
    route: 'GET /calendar.ics',
    for: 'anyone',
    does: 'Returns the sessions of a calendar link as iCalendar, as far as its owner may see them.',
    limit: calendars,
    query: z.strictObject({ token: z.string(LINK_INCOMPLETE).min(1, LINK_INCOMPLETE).max(64, LINK_INCOMPLETE) }),
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    calendar: typeof calendar
  }
}
