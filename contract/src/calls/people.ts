import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ASSIGNABLE_ROLES, ROLES } from '../words/role.ts'
import { email, message, name } from './shapes.ts'

/** A person's name; null: they have none here. */
const personName = name.nullable()

/** People as they are shown, and what may be changed of them once their account is made. */
export const people = {
  list: defineCall({
    method: 'GET',
    path: '/admin/people',
    roles: ['admin', 'superadmin'],
    summary: "An organisation's people, in order of e-mail.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      people: z.array(z.object({ email: z.string(), name: z.string().nullable(), userType: z.enum(ROLES) })),
    }),
  }),
  change: defineCall({
    method: 'PATCH',
    path: '/admin/users',
    roles: ['admin', 'superadmin'],
    summary:
      "Changes a person's name or signs them out everywhere, of admins' own organisation, and for superadmins their role, which signs them out too.",
    body: z
      .strictObject({
        email,
        name: personName.optional(),
        userType: z.enum(ASSIGNABLE_ROLES).optional(),
        signOut: z.literal(true).optional(),
      })
      .refine(({ name: named, userType, signOut }) => [named, userType, signOut].some((each) => each !== undefined), {
        error: 'must name what is to be changed',
      }),
    reply: message,
  }),
  renameMyself: defineCall({
    method: 'PATCH',
    path: '/user/name',
    roles: 'signed in',
    summary: "Changes one's own name.",
    body: z.strictObject({ name: personName }),
    reply: message,
  }),
}
