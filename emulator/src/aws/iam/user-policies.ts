import type { AwsCloud } from '#src/aws/cloud.ts'
import { checkedDocument, managedStatements } from '#src/aws/iam/policies.ts'
import { changingUser, listing, readingUser, removing } from '#src/aws/iam/user-parts.ts'
import { text, type AwsOperation } from '#src/aws/operation.ts'
import { limitExceeded, noSuchEntity } from '#src/aws/refusal.ts'

/** Characters that a user's inline policies may have together, spaces not counted; managed policies a user may have. */
const mostInline = 2048
const mostAttached = 10

/** Policies written into a user, and managed ones attached to one. */
export function userPolicyOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  const noSuchPolicy = (name: string) => `The user policy with name ${name} cannot be found.`
  return [
    changingUser(cloud, 'PutUserPolicy', (call, user) => {
      const document = text(call, 'PolicyDocument')
      checkedDocument(document)
      users.put(call, user, 'inline', text(call, 'PolicyName'), { document })
      const inline = users.really(user).filter(({ kind }) => kind === 'inline')
      const size = inline.reduce((sum, { doc }) => sum + documentIn(doc).replaceAll(/\s/g, '').length, 0)
      if (size > mostInline)
        throw limitExceeded(`Maximum policy size of ${mostInline} bytes exceeded for user ${user.name}`)
      return undefined
    }),
    readingUser(cloud, 'GetUserPolicy', (call, user) => {
      const name = text(call, 'PolicyName')
      const part = users.part(call, user, 'inline', name)
      if (part === undefined) throw noSuchEntity(noSuchPolicy(name))
      return { UserName: user.name, PolicyName: name, PolicyDocument: encodeURIComponent(documentIn(part.doc)) }
    }),
    listing(cloud, 'ListUserPolicies', 'inline', 'PolicyNames', (_, { name }) => name),
    removing(cloud, 'DeleteUserPolicy', 'inline', 'PolicyName', noSuchPolicy),
    changingUser(cloud, 'AttachUserPolicy', (call, user) => {
      const arn = text(call, 'PolicyArn')
      managedStatements(cloud, arn)
      users.put(call, user, 'attached', arn)
      if (users.really(user).filter(({ kind }) => kind === 'attached').length > mostAttached) {
        throw limitExceeded(`Cannot exceed quota for PoliciesPerUser: ${mostAttached}`)
      }
      return undefined
    }),
    removing(cloud, 'DetachUserPolicy', 'attached', 'PolicyArn', (arn) => `Policy ${arn} was not found.`),
    listing(cloud, 'ListAttachedUserPolicies', 'attached', 'AttachedPolicies', (_, { name }) => ({
      PolicyName: name.slice(name.lastIndexOf('/') + 1),
      PolicyArn: name,
    })),
  ]
}

const documentIn = (doc: string): string => (JSON.parse(doc) as { document: string }).document
