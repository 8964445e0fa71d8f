import { GetPolicyCommand, paginateSimulatePrincipalPolicy } from '@aws-sdk/client-iam'
import { paginateListAccountsForParent } from '@aws-sdk/client-organizations'
import type { AwsDiagnosis } from './aws-users.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { attempt, awsClients, type AwsConnection } from './clients.ts'
import { hasCode } from './errors.ts'

export function awsDiagnosis(connection: AwsConnection): AwsDiagnosis {
  let answeredAt: string | undefined
  const clients = awsClients({
    ...connection,
    http: (wire) => {
      const last = connection.http?.(wire) ?? wire
      return async (request, signal) => {
        const reply = await last(request, signal)
        answeredAt = reply.headers['date']
        return reply
      }
    },
  })

  return {
    async identity(signal) {
      const who = await clients.identity(signal)
      if (answeredAt === undefined) throw new CloudError('unreachable', 'The response from AWS has no Date header.')
      return { ...who, at: new Date(answeredAt) }
    },

    async denied(account, actions, resource, abortSignal) {
      const { iam: client } = await clients.iam(account, abortSignal)
      const source =
        account === null
          ? principalOf((await clients.identity(abortSignal)).arn)
          : `arn:aws:iam::${account}:role/${connection.role}`
      return attempt('simulate its policies', async () => {
        const input = { PolicySourceArn: source, ActionNames: [...actions], ResourceArns: [resource] }
        const denied: string[] = []
        for await (const { EvaluationResults } of paginateSimulatePrincipalPolicy({ client }, input, { abortSignal })) {
          for (const { EvalActionName, EvalDecision } of EvaluationResults ?? []) {
            if (EvalActionName !== undefined && EvalDecision !== 'allowed') denied.push(EvalActionName)
          }
        }
        return denied
      })
    },

    async hasPolicy(PolicyArn, abortSignal) {
      const { iam } = await clients.iam(null, abortSignal)
      const found = await nullOnError('NoSuchEntity', () =>
        attempt('read the policy of lab users', () => iam.send(new GetPolicyCommand({ PolicyArn }), { abortSignal })),
      )
      return found !== null
    },

    accountsIn: (ParentId, abortSignal) =>
      nullOnError('ParentNotFound', () =>
        attempt(`list the accounts in ${ParentId}`, async () => {
          const ids: string[] = []
          const pages = paginateListAccountsForParent({ client: clients.organizations }, { ParentId }, { abortSignal })
          for await (const { Accounts } of pages) ids.push(...(Accounts ?? []).flatMap(({ Id }) => Id ?? []))
          return ids
        }),
      ),
  }
}

/** AWS simulates a session as its role; an account's root user has no policies. */
function principalOf(arn: string): string {
  const [, account, role] = /^arn:aws:sts::(\d{12}):assumed-role\/([^/]+)\//.exec(arn) ?? []
  if (role !== undefined) return `arn:aws:iam::${account}:role/${role}`
  if (/:user\//.test(arn)) return arn
  throw new CloudError(
    'refused',
    `The key belongs to ${arn}, whose policies AWS cannot simulate. Use the key of an IAM user.`,
  )
}

async function nullOnError<T>(code: string, query: () => Promise<T>): Promise<T | null> {
  try {
    return await query()
  } catch (problem) {
    if (hasCode(problem, code)) return null
    throw problem
  }
}
