import { createHash } from 'node:crypto'
import type { AwsCloud } from '../cloud.ts'
import { changeUser, readUser } from './user-parts.ts'
import type { Part, User } from './user-rows.ts'
import { optionalText, text, type AwsCall, type AwsOperation, type Structure } from '../operation.ts'
import { AwsRefusal, alreadyExists, noSuchEntity, temporarilyUnmodifiable } from '../refusal.ts'

interface Login {
  readonly password: string
  readonly resetRequired: boolean
}

export function loginOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  const putLogin = (call: AwsCall, user: User, before: Login | undefined): Structure => {
    const password = call.input.Password
    const login: Login = {
      password:
        typeof password === 'string' ? hash(requireStrongPassword(password, user.name)) : (before?.password ?? ''),
      resetRequired:
        optionalText(call, 'PasswordResetRequired') === undefined
          ? (before?.resetRequired ?? false)
          : text(call, 'PasswordResetRequired') === 'true',
    }
    users.putPart(call, user, 'login', 'login', login)
    return { UserName: user.name, CreateDate: new Date(call.now), PasswordResetRequired: login.resetRequired }
  }
  const noSuchProfile = ({ name }: User) => noSuchEntity(`Login Profile for User ${name} cannot be found.`)
  const profileOf = (call: AwsCall, user: User) => {
    const part = users.part(call, user, 'login', 'login')
    if (part === undefined) throw noSuchProfile(user)
    return part
  }
  /** Returns the login profile for a change, which AWS refuses in the first seconds. */
  const modifiableProfileOf = (call: AwsCall, user: User) => {
    const part = profileOf(call, user)
    if (isPropagating(cloud, part, call.now)) {
      throw temporarilyUnmodifiable(
        `Login Profile for User ${user.name} cannot be modified while login profile is being created.`,
      )
    }
    return part
  }
  return [
    changeUser(cloud, 'CreateLoginProfile', (call, user) => {
      text(call, 'Password')
      if (users.currentParts(user).some(({ kind }) => kind === 'login')) {
        throw alreadyExists(`Login Profile for user ${user.name} already exists.`)
      }
      return { LoginProfile: putLogin(call, user, undefined) }
    }),
    readUser(cloud, 'GetLoginProfile', (call, user) => {
      const part = profileOf(call, user)
      const { resetRequired } = JSON.parse(part.doc) as Login
      return {
        LoginProfile: {
          UserName: user.name,
          CreateDate: new Date(part.created_at),
          PasswordResetRequired: resetRequired,
        },
      }
    }),
    changeUser(cloud, 'UpdateLoginProfile', (call, user) => {
      putLogin(call, user, JSON.parse(modifiableProfileOf(call, user).doc) as Login)
      return undefined
    }),
    changeUser(cloud, 'DeleteLoginProfile', (call, user) => {
      modifiableProfileOf(call, user)
      if (!users.removePart(call, user, 'login', 'login')) throw noSuchProfile(user)
      return undefined
    }),
  ]
}

export function isPropagating({ propagationMs }: AwsCloud, { created_at }: Part, now: number): boolean {
  return now < created_at + propagationMs
}

export function checkPassword(cloud: AwsCloud, user: User, password: string): { resetRequired: boolean } | undefined {
  const part = cloud.users.currentParts(user).find(({ kind }) => kind === 'login')
  if (part === undefined) return undefined
  const login = JSON.parse(part.doc) as Login
  return login.password === hash(password) ? { resetRequired: login.resetRequired } : undefined
}

export function changePassword({ users }: AwsCloud, call: AwsCall, user: User, password: string): void {
  const login: Login = { password: hash(requireStrongPassword(password, user.name)), resetRequired: false }
  users.putPart(call, user, 'login', 'login', login)
}

/** Character classes of the default password policy. Other characters belong to no class (documented). */
const characterClasses = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#$%^&*()_+\-=[\]{}|']/]

/** @throws AwsRefusal PasswordPolicyViolation */
function requireStrongPassword(password: string, user: string): string {
  const classes = characterClasses.filter((kind) => kind.test(password)).length
  if (password.length >= 8 && password.length <= 128 && classes >= 3 && password !== user) return password
  throw new AwsRefusal(400, 'PasswordPolicyViolation', 'Password does not conform to the account password policy.')
}

const hash = (password: string): string => createHash('sha256').update(`emulated ${password}`).digest('hex')
