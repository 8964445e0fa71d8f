import { z } from 'zod'
import { badRequest } from './refusal.ts'

const password = z.strictObject({
  password: z.string().optional(),
  forceChangePasswordNextSignIn: z.boolean().optional(),
  forceChangePasswordNextSignInWithMfa: z.boolean().optional(),
})

const properties = {
  accountEnabled: z.boolean().optional(),
  displayName: z.string().min(1).max(256).optional(),
  mailNickname: z.string().min(1).max(64).optional(),
  userPrincipalName: z.string().max(113).optional(),
  passwordProfile: password.optional(),
  passwordPolicies: z.string().nullable().optional(),
  otherMails: z.array(z.string()).optional(),
  givenName: z.string().max(64).nullable().optional(),
  surname: z.string().max(64).nullable().optional(),
  jobTitle: z.string().max(128).nullable().optional(),
  department: z.string().max(64).nullable().optional(),
  companyName: z.string().max(64).nullable().optional(),
  employeeId: z.string().max(16).nullable().optional(),
  employeeType: z.string().nullable().optional(),
  usageLocation: z.string().max(2).nullable().optional(),
}
const shape = z.strictObject(properties)
export type UserBody = z.infer<typeof shape>

export function parseUser(body: unknown): UserBody {
  if (typeof body !== 'object' || body === null) throw badRequest('Empty Payload. JSON content expected.')
  const read = shape.safeParse(body)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    throw badRequest(`Property '${issue.keys[0]}' does not exist as a declared property or extension property.`)
  }
  throw badRequest(`Invalid value specified for property '${issue?.path.join('.')}' of resource 'User'.`)
}

/** @throws GraphRefusal for the first missing or invalid property */
export function parseNewUser(body: UserBody) {
  const { accountEnabled, displayName, mailNickname, userPrincipalName, passwordProfile } = body
  if (accountEnabled === undefined) throw missing('accountEnabled')
  if (displayName === undefined) throw missing('displayName')
  if (mailNickname === undefined) throw missing('mailNickname')
  if (userPrincipalName === undefined) throw missing('userPrincipalName')
  if (passwordProfile?.password === undefined) throw missing('passwordProfile')
  if (!/^[\w.!#^~'-]+$/.test(mailNickname))
    throw badRequest("Invalid value specified for property 'mailNickname' of resource 'User'.")
  refuseBadName(userPrincipalName)
  refuseWeak(passwordProfile.password)
  const {
    passwordProfile: _,
    accountEnabled: __,
    displayName: ___,
    mailNickname: ____,
    userPrincipalName: _____,
    ...more
  } = body
  return {
    upn: userPrincipalName,
    displayName,
    mailNickname,
    more,
    enabled: accountEnabled,
    password: passwordProfile.password,
    mustChange: passwordProfile.forceChangePasswordNextSignIn ?? false,
  }
}

const missing = (property: string) => badRequest(`A value is required for property '${property}' of resource 'User'.`)

/** Verified domains: those that no real tenant can have, and Microsoft's own. */
const verified = /\.(?:test|example|localhost|onmicrosoft\.com)$/i

function refuseBadName(name: string): void {
  const match = /^([A-Za-z0-9'._!#^~-]{1,64})@([A-Za-z0-9.-]{1,48})$/.exec(name)
  if (match === null || match[1]!.endsWith('.')) throw badRequest('Property userPrincipalName is invalid.')
  if (verified.test(match[2]!)) return
  throw badRequest(
    'The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names in your organization.',
  )
}

export function refuseWeak(password: string): void {
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((each) => each.test(password)).length
  if (password.length >= 8 && password.length <= 256 && classes >= 3) return
  throw badRequest(
    'The specified password does not comply with password complexity requirements. Please provide a different password.',
  )
}

/** The limits of the policy with which a directory is created: 60 minutes to 8 hours. */
const accessPassShape = z.strictObject({
  lifetimeInMinutes: z.int().min(60).max(480).default(60),
  isUsableOnce: z.boolean().default(false),
})

export function parseAccessPass(body: unknown): z.infer<typeof accessPassShape> {
  const parsed = accessPassShape.safeParse(body)
  if (parsed.success) return parsed.data
  throw badRequest('The Temporary Access Pass does not match the policy of the directory.')
}
