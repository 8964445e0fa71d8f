import { portalArn, type AwsCloud } from '../cloud.ts'
import { evaluatePortalPolicy } from './portal-policy.ts'
import { isAllowed } from './permissions.ts'
import type { Verdict } from './policies.ts'
import { text, type AwsCall, type AwsOperation } from '../operation.ts'
import { AwsRefusal, noSuchEntity } from '../refusal.ts'

const decisions: Readonly<Record<Verdict, string>> = {
  allowed: 'allowed',
  denied: 'explicitDeny',
  silent: 'implicitDeny',
}

/** Operations that simulate the policies of a user. They ignore resources. */
export function simulationOperations(cloud: AwsCloud): AwsOperation[] {
  return [
    {
      service: 'iam',
      action: 'SimulatePrincipalPolicy',
      isRead: true,
      handle(call) {
        const evaluateAction = evaluatorFor(cloud, call, text(call, 'PolicySourceArn'))
        const { ActionNames: actions, ResourceArns: resources } = call.input
        if (!Array.isArray(actions) || actions.length === 0) {
          throw new AwsRefusal(400, 'InvalidInput', 'Member must not be null: actionNames')
        }
        const resource = Array.isArray(resources) ? String(resources[0]) : '*'
        return {
          IsTruncated: false,
          EvaluationResults: actions.map((action) => ({
            EvalActionName: String(action),
            EvalResourceName: resource,
            EvalDecision: decisions[evaluateAction(String(action))],
            MatchedStatements: [],
            MissingContextValues: [],
          })),
        }
      },
    },
  ]
}

function evaluatorFor(cloud: AwsCloud, call: AwsCall, arn: string): (action: string) => Verdict {
  const [, account, kind, name] = /^arn:aws:iam::(\d{12}):(user|role)\/(?:.*\/)?([^/]+)$/.exec(arn) ?? []
  if (account === undefined || name === undefined) {
    throw new AwsRefusal(
      400,
      'InvalidInput',
      `Invalid Entity Arn: ${arn} does not clearly define entity type and name.`,
    )
  }
  if (account !== call.account) throw noSuchEntity(`The ${kind} with name ${name} cannot be found.`)
  if (arn === portalArn) return (action) => evaluatePortalPolicy(cloud, action, call.now)
  // The only role of an account has all permissions there.
  if (kind === 'role') return () => 'allowed'
  const user = cloud.users.find(call, name)
  if (user === undefined) throw noSuchEntity(`The user with name ${name} cannot be found.`)
  return (action) => (isAllowed(cloud, user, action, call.now) ? 'allowed' : 'silent')
}
