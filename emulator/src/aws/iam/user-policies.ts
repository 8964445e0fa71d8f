import type { AwsCloud } from '#src/aws/cloud.ts'
import { checkedDocument, managedStatements } from '#src/aws/iam/policies.ts'
import { page, text, type AwsOperation } from '#src/aws/operation.ts'
import { limitExceeded, noSuchEntity } from '#src/aws/refusal.ts'

/** Characters that a user's inline policies may have together, spaces not counted; managed policies a user may have. */
const mostInline = 2048
const mostAttached = 10

/** Policies written into a user, and managed ones attached to one. */
export function userPolicyOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  const noSuchPolicy = (name: string) => noSuchEntity(`The user policy with name ${name} cannot be found.`)
  return [
    {
      service: 'iam',
      action: 'PutUserPolicy',
      reads: false,
      handle(call) {
        const user = users.standing(call, text(call, 'UserName'))
        const document = text(call, 'PolicyDocument')
        checkedDocument(document)
        users.put(call, user, 'inline', text(call, 'PolicyName'), { document })
        const inline = users.really(user).filter(({ kind }) => kind === 'inline')
        const size = inline.reduce((sum, { doc }) => sum + documentIn(doc).replaceAll(/\s/g, '').length, 0)
        if (size > mostInline)
          throw limitExceeded(`Maximum policy size of ${mostInline} bytes exceeded for user ${user.name}`)
        return undefined
      },
    },
    {
      service: 'iam',
      action: 'GetUserPolicy',
      reads: true,
      handle(call) {
        const user = users.get(call, text(call, 'UserName'))
        const name = text(call, 'PolicyName')
        const part = users.part(call, user, 'inline', name)
        if (part === undefined) throw noSuchPolicy(name)
        return { UserName: user.name, PolicyName: name, PolicyDocument: encodeURIComponent(documentIn(part.doc)) }
      },
    },
    {
      service: 'iam',
      action: 'ListUserPolicies',
      reads: true,
      handle(call) {
        const parts = users.parts(call, users.get(call, text(call, 'UserName')), 'inline')
        const { rows, rest } = page(call, parts, ({ name }) => name)
        return { PolicyNames: rows.map(({ name }) => name), ...rest }
      },
    },
    {
      service: 'iam',
      action: 'DeleteUserPolicy',
      reads: false,
      handle(call) {
        const user = users.standing(call, text(call, 'UserName'))
        const name = text(call, 'PolicyName')
        if (!users.drop(call, user, 'inline', name)) throw noSuchPolicy(name)
        return undefined
      },
    },
    {
      service: 'iam',
      action: 'AttachUserPolicy',
      reads: false,
      handle(call) {
        const user = users.standing(call, text(call, 'UserName'))
        const arn = text(call, 'PolicyArn')
        managedStatements(cloud, arn)
        users.put(call, user, 'attached', arn)
        if (users.really(user).filter(({ kind }) => kind === 'attached').length > mostAttached) {
          throw limitExceeded(`Cannot exceed quota for PoliciesPerUser: ${mostAttached}`)
        }
        return undefined
      },
    },
    {
      service: 'iam',
      action: 'DetachUserPolicy',
      reads: false,
      handle(call) {
        const user = users.standing(call, text(call, 'UserName'))
        const arn = text(call, 'PolicyArn')
        if (!users.drop(call, user, 'attached', arn)) throw noSuchEntity(`Policy ${arn} was not found.`)
        return undefined
      },
    },
    {
      service: 'iam',
      action: 'ListAttachedUserPolicies',
      reads: true,
      handle(call) {
        const parts = users.parts(call, users.get(call, text(call, 'UserName')), 'attached')
        const { rows, rest } = page(call, parts, ({ name }) => name)
        const attached = rows.map(({ name }) => ({
          PolicyName: name.slice(name.lastIndexOf('/') + 1),
          PolicyArn: name,
        }))
        return { AttachedPolicies: attached, ...rest }
      },
    },
  ]
}

const documentIn = (doc: string): string => (JSON.parse(doc) as { document: string }).document
