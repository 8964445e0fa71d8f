import { invitations } from '@trainyard/users/contract/user.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { LAB_USERNAME_LENGTH, LAB_USERNAME_PATTERN } from './sandbox-words.ts'
import {
  SANDBOX_RENEWAL_RUPEES_MAX,
  SANDBOX_DAYS_MAX,
  SANDBOX_LOCATIONS,
} from '@trainyard/platform/contract/words/limits.ts'
import { email, instant, rupees } from '@trainyard/platform/contract/shapes.ts'

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
  read: call({
    route: 'GET /sandbox/azure',
    for: ['sandboxuser'],
    does: "Returns the caller's credits and sandboxes, newest first.",
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
  create: call({
    route: 'POST /sandbox/azure',
    for: ['sandboxuser'],
    does: 'Requests a sandbox named {prefix}-{name}-sandbox. 409 without remaining credits, at the limit, or if the name is taken.',
    audit: 'created a sandbox',
    body: z.strictObject({ resourceGroupName, resourceGroupLocation: z.enum(SANDBOX_LOCATIONS) }),
    once: true,
  }),
  remove: call({
    route: 'DELETE /sandbox/azure',
    for: ['sandboxuser', 'superadmin'],
    does: 'Deletes a sandbox. Access is blocked first, then all resources are deleted.',
    audit: 'deleted a sandbox',
    body: z.strictObject({ resourceGroupName }),
  }),
  signIn: call({
    route: 'POST /sandbox/azure/signin',
    for: ['sandboxuser'],
    does: 'Returns the sign-in details for the provider. The initial password must be changed there. 409 until the account exists.',
    audit: 'viewed their Azure sign-in details',
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
  list: call({
    route: 'GET /sandbox/user',
    for: ['superadmin'],
    does: 'Lists the Azure lab users with their credits and sandboxes, newest first.',
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
  create: call({
    route: 'POST /sandbox/user',
    for: ['superadmin'],
    does: 'Creates an Azure lab user and mails the personal address. 409 if the username exists.',
    audit: 'created an Azure lab user',
    limit: invitations,
    body: newLabUser,
    once: true,
  }),
  renew: call({
    route: 'POST /sandbox/user/renew',
    for: ['superadmin'],
    does: 'Adds days or credit (rupees) to an Azure lab user. An ended user is created again. 409 while the user is being ended.',
    audit: 'renewed an Azure lab user',
    body: z
      .strictObject({ email, duration: duration.optional(), credits: moreCredits.optional() })
      .refine(({ duration: days, credits: more }) => days !== undefined || more !== undefined, {
        error: 'must name days or credits',
      }),
    once: true,
  }),
  ended: call({
    route: 'GET /sandbox/user/ended',
    for: ['superadmin'],
    does: 'Lists the Azure lab users that ended in the last 90 days and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: call({
    route: 'DELETE /sandbox/user',
    for: ['superadmin'],
    does: 'Ends an Azure lab user. Access is blocked first, then the sandboxes and the user are deleted.',
    audit: 'deleted an Azure lab user',
    body: z.strictObject({ email }),
  }),
  issueAccessPass: call({
    route: 'POST /sandbox/user/access-pass',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Requests a Temporary Access Pass, with which an Azure lab user signs in once at Microsoft without a second factor. It replaces an earlier one. 409 until the account exists.',
    audit: 'requested a Temporary Access Pass for an Azure lab user',
    body: z.strictObject({ email }),
  }),
  showAccessPass: call({
    route: 'POST /sandbox/user/access-pass/show',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Returns the requested Temporary Access Pass of an Azure lab user and deletes it in the portal. 409 if none is ready.',
    audit: 'viewed the Temporary Access Pass of an Azure lab user',
    body: z.strictObject({ email }),
    reply: z.object({ username: z.string(), accessPass: z.string(), endDate: instant }),
  }),
}

export const awsSandbox = {
  read: call({
    route: 'GET /sandbox/aws',
    for: ['awssandboxuser'],
    does: "Returns the caller's AWS access details and end date.",
    reply: labUser.extend({
      consoleUrl: z.string().nullable(),
      timeZone: z.string(),
    }),
  }),
  signIn: call({
    route: 'POST /sandbox/aws/signin',
    for: ['awssandboxuser'],
    does: 'Returns the sign-in details for the AWS console. The initial password must be changed there. 409 until the account exists.',
    audit: 'viewed their AWS sign-in details',
    reply: z.object({ account: z.string(), username: z.string(), password: z.string(), consoleUrl: z.string() }),
  }),
}

export const awsUser = {
  list: call({
    route: 'GET /aws/user',
    for: ['superadmin'],
    does: 'Lists the AWS lab users, newest first.',
    reply: z.object({ users: z.array(labUserSchema) }),
  }),
  create: call({
    route: 'POST /aws/user',
    for: ['superadmin'],
    does: 'Creates an AWS lab user and mails the personal address. 409 if no account is free.',
    audit: 'created an AWS lab user',
    limit: invitations,
    body: newLabUser,
    once: true,
  }),
  renew: call({
    route: 'POST /aws/user/renew',
    for: ['superadmin'],
    does: 'Adds days to an AWS lab user. An ended user is created again. 409 while the user is being ended.',
    audit: 'renewed an AWS lab user',
    body: z.strictObject({ email, duration }),
    once: true,
  }),
  ended: call({
    route: 'GET /aws/user/ended',
    for: ['superadmin'],
    does: 'Lists the AWS lab users that ended in the last 90 days and can be renewed.',
    reply: endedLabUsers,
  }),
  remove: call({
    route: 'DELETE /aws/user',
    for: ['superadmin'],
    does: 'Ends an AWS lab user. Access is blocked first, then the account is cleaned and checked.',
    audit: 'deleted an AWS lab user',
    body: z.strictObject({ email }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    awsSandbox: typeof awsSandbox
    awsUser: typeof awsUser
    azureSandbox: typeof azureSandbox
    sandboxUser: typeof sandboxUser
  }
}
