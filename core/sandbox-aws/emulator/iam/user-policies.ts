import type { AwsCloud } from '../cloud.ts'
import { parsePolicy, managedStatements } from './policies.ts'
import { changeUser, listParts, readUser, removePart } from './user-parts.ts'
import { text, type AwsOperation } from '../operation.ts'
import { limitExceeded, noSuchEntity } from '../refusal.ts'

/** Inline policies are limited in characters without whitespace, managed ones in number. */
const MAX_INLINE_CHARACTERS = 2048
const MAX_ATTACHED = 10

export function userPolicyOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  const noSuchPolicy = (name: string) => `The user policy with name ${name} cannot be found.`
  return [
    changeUser(cloud, 'PutUserPolicy', (call, user) => {
      const document = text(call, 'PolicyDocument')
      parsePolicy(document)
      users.putPart(call, user, 'inline', text(call, 'PolicyName'), { document })
      const inline = users.currentParts(user).filter(({ kind }) => kind === 'inline')
      const size = inline.reduce((sum, { doc }) => sum + documentIn(doc).replaceAll(/\s/g, '').length, 0)
      if (size > MAX_INLINE_CHARACTERS)
        throw limitExceeded(`Maximum policy size of ${MAX_INLINE_CHARACTERS} bytes exceeded for user ${user.name}`)
      return undefined
    }),
    readUser(cloud, 'GetUserPolicy', (call, user) => {
      const name = text(call, 'PolicyName')
      const part = users.part(call, user, 'inline', name)
      if (part === undefined) throw noSuchEntity(noSuchPolicy(name))
      return { UserName: user.name, PolicyName: name, PolicyDocument: encodeURIComponent(documentIn(part.doc)) }
    }),
    listParts(cloud, 'ListUserPolicies', 'inline', 'PolicyNames', (_, { name }) => name),
    removePart(cloud, 'DeleteUserPolicy', 'inline', 'PolicyName', noSuchPolicy),
    changeUser(cloud, 'AttachUserPolicy', (call, user) => {
      const arn = text(call, 'PolicyArn')
      managedStatements(cloud, arn)
      users.putPart(call, user, 'attached', arn)
      if (users.currentParts(user).filter(({ kind }) => kind === 'attached').length > MAX_ATTACHED) {
        throw limitExceeded(`Cannot exceed quota for PoliciesPerUser: ${MAX_ATTACHED}`)
      }
      return undefined
    }),
    removePart(cloud, 'DetachUserPolicy', 'attached', 'PolicyArn', (arn) => `Policy ${arn} was not found.`),
    listParts(cloud, 'ListAttachedUserPolicies', 'attached', 'AttachedPolicies', (_, { name }) => ({
      PolicyName: name.slice(name.lastIndexOf('/') + 1),
      PolicyArn: name,
    })),
  ]
}

const documentIn = (doc: string): string => (JSON.parse(doc) as { document: string }).document
