import { z } from 'zod'
import { defineCall } from '../call.ts'
import { LAB_USERNAME_LENGTH, LAB_USERNAME_PATTERN } from '../words/sandbox.ts'
import { SANDBOX_RENEWAL_RUPEES_MAX, SANDBOX_DAYS_MAX, SANDBOX_LOCATIONS } from '../words/limits.ts'
import { email, instant, message, rupees } from './shapes.ts'

const credits = z.object({ total: z.number(), consumed: z.number() })

const sandboxSchema = z.object({
  _id: z.string(),
  resourceGroupName: z.string(),
  createdTime: instant,
  deleteTime: instant,
  status: z.enum(['Creating', 'Ready', 'Frozen', 'Deleting', 'Failing']),
  statusReason: z.string().nullable(),
  /** Resources that are not charged, because their price is unknown. */
  notPriced: z.array(z.string()),
})

const resourceGroupName = z.string().min(1, 'must not be empty').max(90)

export const azureSandbox = {
  read: defineCall({
    method: 'GET',
    path: '/sandbox/azure',
    roles: ['sandboxuser'],
    freshProof: 'none: reads only',
    summary: "Returns the caller's credits and sandboxes, newest first.",
    reply: z.object({
      email: z.string(),
      userId: z.string(),
      credits,
      limit: z.int().nullable(),
      sandbox: z.array(sandboxSchema),
      timeZone: z.string(),
      portalUrl: z.string(),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/sandbox/azure',
    roles: ['sandboxuser'],
    freshProof: 'none: changes labs, not how users sign in',
    summary:
      'Requests a sandbox named {prefix}-{name}-sandbox. 409 without remaining credits, at the limit, or if the name is taken.',
    body: z.strictObject({ resourceGroupName, resourceGroupLocation: z.enum(SANDBOX_LOCATIONS) }),
    reply: message,
    creates: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/sandbox/azure',
    roles: ['sandboxuser', 'superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Deletes a sandbox. Access is blocked first, then all resources are deleted.',
    body: z.strictObject({ resourceGroupName }),
    reply: message,
  }),
  signIn: defineCall({
    method: 'POST',
    path: '/sandbox/azure/signin',
    roles: ['sandboxuser'],
    freshProof: "none: returns only the caller's own lab credentials",
    summary:
      'Returns the sign-in details for the provider. The initial password must be changed there. 409 until the account exists.',
    reply: z.object({ username: z.string(), password: z.string(), portalUrl: z.string() }),
  }),
}

const username = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(LAB_USERNAME_LENGTH, `must be at most ${LAB_USERNAME_LENGTH} characters long`)
  .regex(LAB_USERNAME_PATTERN, 'must contain only letters, digits, dots, underscores and hyphens')

const duration = z.int('must be a whole number of days').min(1).max(SANDBOX_DAYS_MAX)

const newLabUser = z.strictObject({ username, personalEmail: email, duration })

const moreCredits = rupees.refine(
  (amount) => amount > 0 && amount <= SANDBOX_RENEWAL_RUPEES_MAX,
  'must be more than 0 and at most 1,00,000 rupees',
)

/** Ended lab users whose username has not been reused. */
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

const labUserSchema = z.object({ _id: z.string(), ...labUser.shape, duration: z.number() })

export const sandboxUser = {
  list: defineCall({
    method: 'GET',
    path: '/sandbox/user',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists the Azure lab users with their credits and sandboxes, newest first.',
    reply: z.object({
      users: z.array(
        labUserSchema.extend({
          credits,
          sandbox: z.array(sandboxSchema),
          /** Temporary Access Pass: `Ready` until it is shown once or expires. */
          accessPass: z.enum(['None', 'Requested', 'Ready']),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/sandbox/user',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary: 'Creates an Azure lab user and mails the personal address. 409 if the username exists.',
    body: newLabUser,
    reply: message,
    creates: true,
  }),
  renew: defineCall({
    method: 'POST',
    path: '/sandbox/user/renew',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary:
      'Adds days or credit (rupees) to an Azure lab user. An ended user is created again. 409 while the user is being ended.',
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
    freshProof: 'none: reads only',
    summary: 'Lists the Azure lab users that ended in the last 90 days and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/sandbox/user',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary: 'Ends an Azure lab user. Access is blocked first, then the sandboxes and the user are deleted.',
    body: z.strictObject({ email }),
    reply: message,
  }),
  issueAccessPass: defineCall({
    method: 'POST',
    path: '/sandbox/user/access-pass',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary:
      'Requests a Temporary Access Pass, with which an Azure lab user signs in once at Microsoft without a second factor. It replaces an earlier one. 409 until the account exists.',
    body: z.strictObject({ email }),
    reply: message,
  }),
  showAccessPass: defineCall({
    method: 'POST',
    path: '/sandbox/user/access-pass/show',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary:
      'Returns the requested Temporary Access Pass of an Azure lab user and deletes it in the portal. 409 if none is ready.',
    body: z.strictObject({ email }),
    reply: z.object({ username: z.string(), accessPass: z.string(), endDate: instant }),
  }),
}

export const awsSandbox = {
  read: defineCall({
    method: 'GET',
    path: '/sandbox/aws',
    roles: ['awssandboxuser'],
    freshProof: 'none: reads only',
    summary: "Returns the caller's AWS access details and end date.",
    reply: labUser.extend({
      consoleUrl: z.string().nullable(),
      timeZone: z.string(),
    }),
  }),
  signIn: defineCall({
    method: 'POST',
    path: '/sandbox/aws/signin',
    roles: ['awssandboxuser'],
    freshProof: "none: returns only the caller's own lab credentials",
    summary:
      'Returns the sign-in details for the AWS console. The initial password must be changed there. 409 until the account exists.',
    reply: z.object({ account: z.string(), username: z.string(), password: z.string(), consoleUrl: z.string() }),
  }),
}

export const awsUser = {
  list: defineCall({
    method: 'GET',
    path: '/aws/user',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists the AWS lab users, newest first.',
    reply: z.object({ users: z.array(labUserSchema) }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/aws/user',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary: 'Creates an AWS lab user and mails the personal address. 409 if no account is free.',
    body: newLabUser,
    reply: message,
    creates: true,
  }),
  renew: defineCall({
    method: 'POST',
    path: '/aws/user/renew',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary: 'Adds days to an AWS lab user. An ended user is created again. 409 while the user is being ended.',
    body: z.strictObject({ email, duration }),
    reply: message,
    creates: true,
  }),
  ended: defineCall({
    method: 'GET',
    path: '/aws/user/ended',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists the AWS lab users that ended in the last 90 days and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/aws/user',
    roles: ['superadmin'],
    freshProof: 'none: concerns lab users, who have no rights over others',
    summary: 'Ends an AWS lab user. Access is blocked first, then the account is cleaned and checked.',
    body: z.strictObject({ email }),
    reply: message,
  }),
}
