import { portalAccount, portalArn, portalKey, type AwsCloud } from './cloud.ts'
import { userArn } from './ids.ts'
import { evaluatePortalPolicy } from './iam/portal-policy.ts'
import { isAllowed } from './iam/permissions.ts'
import type { User } from './iam/user-rows.ts'
import type { AwsOperation } from './operation.ts'
import { AwsRefusal } from './refusal.ts'
import { readSignature, verifySignature, type SignedRequest } from './signature.ts'

export interface Caller {
  readonly account: string
  readonly arn: string
  /**
   * null for role sessions and the portal's own user, which have all permissions (the portal's user only until it has a
   * policy).
   */
  readonly user: User | null
}

interface Session {
  readonly secret: string
  readonly token: string
  readonly account: string
  readonly arn: string
  readonly expires_at: number
}

/** @throws AwsRefusal if the access key is unknown or the signature is wrong */
export function callerOf(cloud: AwsCloud, request: SignedRequest, now: number): Caller {
  const signature = readSignature(request)
  const { accessKey } = signature
  if (accessKey === portalKey.accessKeyId) {
    verifySignature(request, signature, portalKey.secretAccessKey, now)
    return { account: portalAccount, arn: portalArn, user: null }
  }
  const session = cloud.database.one<Session>('SELECT * FROM aws_session WHERE access_key = ?', accessKey)
  if (session !== undefined) {
    verifySignature(request, signature, session.secret, now)
    if (request.headers['x-amz-security-token'] !== session.token) throw invalidToken()
    if (session.expires_at <= now) {
      throw new AwsRefusal(403, 'ExpiredToken', 'The security token included in the request is expired')
    }
    return { account: session.account, arn: session.arn, user: null }
  }
  const owner = cloud.users.ofKey(accessKey)
  if (owner === undefined) throw invalidToken()
  const { status, secret } = JSON.parse(owner.key.doc) as { status: string; secret: string }
  if (status !== 'Active' || now < owner.key.created_at + cloud.propagationMs) throw invalidToken()
  verifySignature(request, signature, secret, now)
  const { user } = owner
  return { account: user.account, arn: userArn(user.account, user.path, user.name), user }
}

export function authorize(cloud: AwsCloud, caller: Caller, { service, action }: AwsOperation, now: number): void {
  // AWS allows this call to everyone, even under an explicit deny.
  if (action === 'GetCallerIdentity') return
  const permitted = isPermitted(cloud, caller, `${service}:${action}`, now)
  if (permitted && (service !== 'organizations' || caller.account === portalAccount)) return
  throw new AwsRefusal(
    service === 'organizations' ? 400 : 403,
    service === 'organizations' ? 'AccessDeniedException' : 'AccessDenied',
    `User: ${caller.arn} is not authorized to perform: ${service}:${action}`,
  )
}

function isPermitted(cloud: AwsCloud, { user, arn }: Caller, action: string, now: number): boolean {
  if (user !== null) return isAllowed(cloud, user, action, now)
  return arn !== portalArn || evaluatePortalPolicy(cloud, action, now) === 'allowed'
}

const invalidToken = () =>
  new AwsRefusal(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.')
