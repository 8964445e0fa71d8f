import { IAMClient } from '@aws-sdk/client-iam'
import { OrganizationsClient } from '@aws-sdk/client-organizations'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { CloudError } from '../errors.ts'
import { asCloudError } from './errors.ts'
import { overHttp, requestHandler, type Wire } from './wire.ts'

export interface AwsConnection {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly region: string
  /** Where AWS is; left out: at its own addresses. */
  readonly endpoint?: string
  /** Name of the role that lets us into each leased account. */
  readonly role: string
  /** The last step to AWS; tests listen in here. */
  readonly http?: (wire: Wire) => Wire
  /** Milliseconds that one call may take. */
  readonly timeLimit?: number
}

export interface AwsClients {
  /** IAM of a leased account, or of our own. */
  iam(account: string | null, signal: AbortSignal): Promise<{ readonly iam: IAMClient; readonly account: string }>
  readonly organizations: OrganizationsClient
  /** Returns the owner of the key. */
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string }>
}

const TIME_LIMIT = 20_000
/** The shortest session there is: one is made for each thing done. */
const SESSION_SECONDS = 900

export function awsClients(connection: AwsConnection): AwsClients {
  const { credentials, region, endpoint, role, http, timeLimit = TIME_LIMIT } = connection
  const wire = http === undefined ? overHttp : http(overHttp)
  const common = {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: requestHandler(wire, timeLimit),
    // Whoever calls us paces and repeats: a second place that does would hide what happens.
    maxAttempts: 1,
  }
  const sts = new STSClient({ ...common, credentials })
  const own = new IAMClient({ ...common, credentials })
  let ownAccount: string | null = null

  async function identity(abortSignal: AbortSignal): Promise<{ account: string; arn: string }> {
    const doing = 'say whose its credentials are'
    const { Account, Arn } = await attempt(doing, () => sts.send(new GetCallerIdentityCommand({}), { abortSignal }))
    ownAccount = given(Account, doing)
    return { account: ownAccount, arn: given(Arn, doing) }
  }

  return {
    identity,
    organizations: new OrganizationsClient({ ...common, credentials }),
    async iam(account, abortSignal) {
      if (account === null) return { iam: own, account: ownAccount ?? (await identity(abortSignal)).account }
      if (!/^\d{12}$/.test(account)) {
        throw new CloudError('refused', `${JSON.stringify(account)} is no number of an AWS account: nothing was asked.`)
      }
      const doing = `let it into the account ${account}`
      const asked = new AssumeRoleCommand({
        RoleArn: `arn:aws:iam::${account}:role/${role}`,
        RoleSessionName: 'trainyard',
        DurationSeconds: SESSION_SECONDS,
      })
      const { Credentials: session } = await attempt(doing, () => sts.send(asked, { abortSignal }))
      const inside = {
        accessKeyId: given(session?.AccessKeyId, doing),
        secretAccessKey: given(session?.SecretAccessKey, doing),
        sessionToken: given(session?.SessionToken, doing),
      }
      return { iam: new IAMClient({ ...common, credentials: inside }), account }
    },
  }
}

/** Makes a call. `doing` says what it is for, in words that complete 'asked to ...'. */
export async function attempt<T>(doing: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (problem) {
    throw asCloudError(problem, doing)
  }
}

/**
 * Does one thing after the other; one that fails keeps none of the others, and the first failure is thrown at the end.
 * Only where AWS asks for a pause it ends at once: then nothing more is asked.
 */
export async function attemptAll(doing: string, works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const work of works) {
    try {
      await attempt(doing, work)
    } catch (problem) {
      if (problem instanceof CloudError && problem.kind === 'throttled') throw problem
      failures.push(problem)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Returns a value that a reply must hold. Throws CloudError where it is missing. */
export function given<T>(value: T | undefined, doing: string): T {
  if (value !== undefined) return value
  throw new CloudError('unreachable', `Asked AWS to ${doing}, but the answer could not be read.`)
}
