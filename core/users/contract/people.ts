import { invitations } from './user.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ASSIGNABLE_ROLES, ROLES } from '@trainyard/platform/contract/words/role.ts'
import { email, instant, newName, organisationName } from '@trainyard/platform/contract/shapes.ts'

export const personName = newName.nullable()

/** An invitation that has not been used yet. */
export const invitationState = z.object({
  sentAt: instant,
  /** When the mail server accepted the e-mail. */
  deliveredAt: instant.nullable().meta({ examples: ['2026-12-01T03:30:00Z'] }),
  /** When the page of the link was first opened. */
  openedAt: instant.nullable(),
  /** The mail server's reply that rejected it. */
  bounced: z.object({ at: instant, reason: z.string() }).nullable(),
  until: instant.meta({ examples: ['2026-12-08T03:30:00Z'] }),
})
export type InvitationState = z.output<typeof invitationState>

export const people = {
  list: call({
    route: 'GET /admin/people',
    for: ['admin', 'superadmin'],
    public: { scope: 'people:read', operation: 'listPeople' },
    does: "Lists an organisation's users, sorted by e-mail address.",
    query: z.strictObject({ organization: organisationName.optional() }),
    reply: z.object({
      people: z.array(
        z.object({
          email: z.string().meta({ examples: ['asha@example.com'] }),
          name: z
            .string()
            .nullable()
            .meta({ examples: ['Asha Rao'] }),
          userType: z.enum(ROLES).meta({ examples: ['user'] }),
          /** The mail server's reply that rejected the latest invitation; null if none was rejected. */
          bounced: z.object({ at: instant, reason: z.string() }).nullable(),
          /** Null if no invitation was sent, or if the user has a password. */
          invitation: invitationState.nullable(),
        }),
      ),
    }),
  }),
  change: call({
    route: 'PATCH /admin/users',
    for: ['admin', 'superadmin'],
    proof: 'fresh',
    does: "Changes a user's name or signs them out everywhere. Admins can do this in their own organisation. Superadmins can also change the role, which signs the user out.",
    audit: 'changed a user’s name or role, or signed them out',
    body: z
      .strictObject({
        email,
        name: personName.optional(),
        userType: z.enum(ASSIGNABLE_ROLES).optional(),
        signOut: z.literal(true).optional(),
      })
      .refine(({ name: named, userType, signOut }) => [named, userType, signOut].some((each) => each !== undefined), {
        error: 'must contain at least one field to change',
      }),
  }),
  invite: call({
    route: 'POST /admin/people/invitation',
    for: ['admin', 'superadmin'],
    proof: 'fresh',
    does: 'Sends a new invitation to a user without a password and invalidates earlier ones. If the mail server rejected the earlier invitation, the address can be corrected; the machines of the user then move to the new address.',
    audit: 'invited a user again or corrected their address',
    limit: invitations,
    body: z.strictObject({ email, newEmail: email.optional() }),
    once: true,
  }),
  renameMyself: call({
    route: 'PATCH /user/name',
    for: 'signed in',
    does: "Changes the caller's name.",
    audit: 'changed their own name',
    body: z.strictObject({ name: personName }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    people: typeof people
  }
}
