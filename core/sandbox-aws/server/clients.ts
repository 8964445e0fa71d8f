import { IAMClient } from '@aws-sdk/client-iam'
import { OrganizationsClient } from '@aws-sdk/client-organizations'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { asCloudError } from './errors.ts'
import { overHttp, requestHandler, type Wire, wireOver } from './wire.ts'

export interface AwsConnection {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly region: string
  readonly endpoint?: string
  readonly role: string
  readonly http?: (wire: Wire) => Wire
  /** Function that sends requests. Default: fetch. */
  readonly send?: typeof fetch
  readonly timeLimit?: number
}

export interface AwsClients {
  iam(account: string | null, signal: AbortSignal): Promise<{ readonly iam: IAMClient; readonly account: string }>
  readonly organizations: OrganizationsClient
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string }>
}

const TIMEOUT_MS = 20_000
/** Duration of a session, which is AWS's minimum. Each operation starts a new one. */
const SESSION_SECONDS = 900

export function awsClients(connection: AwsConnection): AwsClients {
  const { credentials, region, endpoint, role, http, send, timeLimit = TIMEOUT_MS } = connection
  const socket = send === undefined ? overHttp : wireOver(send)
  const wire = http === undefined ? socket : http(socket)
  const common = {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: requestHandler(wire, timeLimit),
    // The callers pace and retry, because retries in the SDK would hide failures from them.
    maxAttempts: 1,
  }
  const sts = new STSClient({ ...common, credentials })
  const portalClient = new IAMClient({ ...common, credentials })
  let ownAccount: string | null = null

  async function identity(abortSignal: AbortSignal): Promise<{ account: string; arn: string }> {
    const action = 'identify its credentials'
    const { Account, Arn } = await attempt(action, () => sts.send(new GetCallerIdentityCommand({}), { abortSignal }))
    ownAccount = requireValue(Account, action)
    return { account: ownAccount, arn: requireValue(Arn, action) }
  }

  return {
    identity,
    organizations: new OrganizationsClient({ ...common, credentials }),
    async iam(account, abortSignal) {
      if (account === null) return { iam: portalClient, account: ownAccount ?? (await identity(abortSignal)).account }
      if (!/^\d{12}$/.test(account)) {
        throw new CloudError(
          'refused',
          `${JSON.stringify(account)} is not an id of an AWS account. No request was sent.`,
        )
      }
      const action = `assume its role in the account ${account}`
      const command = new AssumeRoleCommand({
        RoleArn: `arn:aws:iam::${account}:role/${role}`,
        RoleSessionName: 'trainyard',
        DurationSeconds: SESSION_SECONDS,
      })
      const { Credentials: session } = await attempt(action, () => sts.send(command, { abortSignal }))
      const accountClients = {
        accessKeyId: requireValue(session?.AccessKeyId, action),
        secretAccessKey: requireValue(session?.SecretAccessKey, action),
        sessionToken: requireValue(session?.SessionToken, action),
      }
      return { iam: new IAMClient({ ...common, credentials: accountClients }), account }
    },
  }
}

export async function attempt<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (problem) {
    throw asCloudError(problem, action)
  }
}

/** Runs all steps, also after failures. Throws the first failure at the end. Stops at once if AWS throttles. */
export async function attemptAll(action: string, works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const work of works) {
    try {
      await attempt(action, work)
    } catch (problem) {
      if (problem instanceof CloudError && problem.kind === 'throttled') throw problem
      failures.push(problem)
    }
  }
  if (failures.length > 0) throw failures[0]
}

export function requireValue<T>(value: T | undefined, action: string): T {
  if (value !== undefined) return value
  throw new CloudError('unreachable', `The request to AWS to ${action} failed: the response could not be read.`)
}
