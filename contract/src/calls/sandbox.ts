import { z } from 'zod'
import { defineCall } from '../call.ts'
import { LAB_USERNAME_LENGTH, LAB_USERNAME_PATTERN } from '../words/sandbox.ts'
import { SANDBOX_CREDIT_RUPEES_MORE, SANDBOX_DAYS_MAX, SANDBOX_LOCATIONS } from '../words/limits.ts'
import { email, instant, message, rupees } from './shapes.ts'

const credits = z.object({ total: z.number(), consumed: z.number() })

const sandboxView = z.object({
  _id: z.string(),
  resourceGroupName: z.string(),
  createdTime: instant,
  deleteTime: instant,
  status: z.enum(['Creating', 'Ready', 'Frozen', 'Deleting', 'Failing']),
  statusReason: z.string().nullable(),
  /** Resources in it that have no price, by name and type: they are not charged. */
  notPriced: z.array(z.string()),
})

const resourceGroupName = z.string().min(1, 'must not be empty').max(90)

export const azureSandbox = {
  read: defineCall({
    method: 'GET',
    path: '/sandbox/azure',
    roles: ['sandboxuser'],
    summary: "A sandbox user's credits and sandboxes, newest first.",
    reply: z.object({
      email: z.string(),
      userId: z.string(),
      credits,
      /** How many sandboxes one may have at a time; null: as many as one likes. */
      limit: z.int().nullable(),
      sandbox: z.array(sandboxView),
      timeZone: z.string(),
      /** Where the provider's portal is. */
      portalUrl: z.string(),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/sandbox/azure',
    roles: ['sandboxuser'],
    summary: 'Asks for a sandbox, {prefix}-{name}-sandbox. No credits left, the limit reached or the name taken: 409.',
    body: z.strictObject({ resourceGroupName, resourceGroupLocation: z.enum(SANDBOX_LOCATIONS) }),
    reply: message,
    creates: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/sandbox/azure',
    roles: ['sandboxuser', 'superadmin'],
    summary: 'Ends a sandbox: access is blocked first, then all in it is deleted.',
    body: z.strictObject({ resourceGroupName }),
    reply: message,
  }),
  signIn: defineCall({
    method: 'POST',
    path: '/sandbox/azure/signin',
    roles: ['sandboxuser'],
    summary: 'How to sign in at the provider: its first password must be changed there. Not there yet: 409.',
    reply: z.object({ username: z.string(), password: z.string(), portalUrl: z.string() }),
  }),
}

const username = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(LAB_USERNAME_LENGTH, `must be at most ${LAB_USERNAME_LENGTH} characters long`)
  .regex(LAB_USERNAME_PATTERN, 'must hold only letters, digits, dots, underscores and hyphens')

const duration = z.int('must be a whole number of days').min(1).max(SANDBOX_DAYS_MAX)

const newLabUser = z.strictObject({ username, personalEmail: email, duration })

const moreCredits = rupees.refine(
  (amount) => amount > 0 && amount <= SANDBOX_CREDIT_RUPEES_MORE,
  'must be more than 0 and at most 1,00,000 rupees',
)

/** Lab users who have ended, and whom nobody of the same name came after. */
const endedLabUsers = z.object({
  users: z.array(z.object({ email: z.string(), personalEmail: z.string(), endDate: instant })),
})

const labUser = z.object({
  email: z.string(),
  userId: z.string(),
  startDate: instant,
  endDate: instant,
  status: z.enum(['Creating', 'Ready', 'Ending', 'Failing']),
  statusReason: z.string().nullable(),
})

const labUserView = z.object({ _id: z.string(), ...labUser.shape, duration: z.number() })

export const sandboxUser = {
  list: defineCall({
    method: 'GET',
    path: '/sandbox/user',
    roles: ['superadmin'],
    summary: 'The Azure lab users with their credits and sandboxes, newest first.',
    reply: z.object({
      users: z.array(
        labUserView.extend({
          credits,
          sandbox: z.array(sandboxView),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/sandbox/user',
    roles: ['superadmin'],
    summary: 'Makes an Azure lab user, told by mail at the personal address. The same username twice: 409.',
    body: newLabUser,
    reply: message,
    creates: true,
  }),
  renew: defineCall({
    method: 'POST',
    path: '/sandbox/user/renew',
    roles: ['superadmin'],
    summary:
      'Gives an Azure lab user so many days, or rupees of credit, more; one who has ended is made anew. Being ended: 409.',
    body: z
      .strictObject({ email, duration: duration.optional(), credits: moreCredits.optional() })
      .refine(({ duration: days, credits: more }) => days !== undefined || more !== undefined, {
        error: 'must name days or credits',
      }),
    reply: message,
    creates: true,
  }),
  ended: defineCall({
    method: 'GET',
    path: '/sandbox/user/ended',
    roles: ['superadmin'],
    summary: 'The Azure lab users who have ended in the last 90 days, and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/sandbox/user',
    roles: ['superadmin'],
    summary: 'Ends an Azure lab user: access blocked first, then their sandboxes and the user deleted.',
    body: z.strictObject({ email }),
    reply: message,
  }),
}

export const awsSandbox = {
  read: defineCall({
    method: 'GET',
    path: '/sandbox/aws',
    roles: ['awssandboxuser'],
    summary: 'How an AWS lab user gets in, and until when.',
    reply: labUser.extend({
      /** null until the account is ready. */
      consoleUrl: z.string().nullable(),
      timeZone: z.string(),
    }),
  }),
  signIn: defineCall({
    method: 'POST',
    path: '/sandbox/aws/signin',
    roles: ['awssandboxuser'],
    summary: 'How to sign in at the console: its first password must be changed there. Not there yet: 409.',
    reply: z.object({ account: z.string(), username: z.string(), password: z.string(), consoleUrl: z.string() }),
  }),
}

export const awsUser = {
  list: defineCall({
    method: 'GET',
    path: '/aws/user',
    roles: ['superadmin'],
    summary: 'The AWS lab users, newest first.',
    reply: z.object({ users: z.array(labUserView) }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/aws/user',
    roles: ['superadmin'],
    summary: 'Makes an AWS lab user, told by mail at the personal address. No free account: 409.',
    body: newLabUser,
    reply: message,
    creates: true,
  }),
  renew: defineCall({
    method: 'POST',
    path: '/aws/user/renew',
    roles: ['superadmin'],
    summary: 'Gives an AWS lab user so many days more; one who has ended is made anew. Being ended: 409.',
    body: z.strictObject({ email, duration }),
    reply: message,
    creates: true,
  }),
  ended: defineCall({
    method: 'GET',
    path: '/aws/user/ended',
    roles: ['superadmin'],
    summary: 'The AWS lab users who have ended in the last 90 days, and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/aws/user',
    roles: ['superadmin'],
    summary: 'Ends an AWS lab user: access blocked first, then the account cleaned and looked at again.',
    body: z.strictObject({ email }),
    reply: message,
  }),
}
