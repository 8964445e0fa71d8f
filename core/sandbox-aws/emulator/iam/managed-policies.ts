import type { AwsCloud } from '../cloud.ts'
import { uniqueId } from '../ids.ts'
import { parsePolicy, isAwsManaged } from './policies.ts'
import { optionalText, text, type AwsOperation, type Structure } from '../operation.ts'
import { alreadyExists, noSuchEntity } from '../refusal.ts'

interface Policy {
  readonly arn: string
  readonly id: string
  readonly name: string
  readonly path: string
  readonly created_at: number
}

export function managedPolicyOperations({ database }: AwsCloud): AwsOperation[] {
  const find = (arn: string) => database.one<Policy>('SELECT * FROM aws_policy WHERE arn = ?', arn)
  const awsManagedPolicy = (arn: string): Policy | undefined =>
    isAwsManaged(arn)
      ? { arn, id: 'ANPAEMULATEDAWSOWN00', name: arn.slice(arn.lastIndexOf('/') + 1), path: '/', created_at: 0 }
      : undefined
  const viewOf = (policy: Policy): Structure => ({
    PolicyName: policy.name,
    PolicyId: policy.id,
    Arn: policy.arn,
    Path: policy.path,
    DefaultVersionId: 'v1',
    IsAttachable: true,
    CreateDate: new Date(policy.created_at),
    UpdateDate: new Date(policy.created_at),
  })
  return [
    {
      service: 'iam',
      action: 'CreatePolicy',
      isRead: false,
      handle(call) {
        const name = text(call, 'PolicyName')
        const path = optionalText(call, 'Path') ?? '/'
        const document = text(call, 'PolicyDocument')
        parsePolicy(document)
        const arn = `arn:aws:iam::${call.account}:policy${path}${name}`
        if (find(arn) !== undefined)
          throw alreadyExists(`A policy called ${name} already exists. Duplicate names are not allowed.`)
        const policy: Policy = { arn, id: uniqueId('ANPA'), name, path, created_at: call.now }
        database.run(
          'INSERT INTO aws_policy (arn, id, account, name, path, doc, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          arn,
          policy.id,
          call.account,
          name,
          path,
          document,
          call.now,
        )
        return { Policy: viewOf(policy) }
      },
    },
    {
      service: 'iam',
      action: 'GetPolicy',
      isRead: true,
      handle(call) {
        const arn = text(call, 'PolicyArn')
        const policy = find(arn) ?? awsManagedPolicy(arn)
        if (policy === undefined) throw noSuchEntity(`Policy ${arn} was not found.`)
        return { Policy: viewOf(policy) }
      },
    },
  ]
}
