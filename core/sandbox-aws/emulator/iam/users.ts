import type { AwsCloud } from '../cloud.ts'
import { userArn } from '../ids.ts'
import { managedStatements } from './policies.ts'
import { changeUser, listParts } from './user-parts.ts'
import type { User } from './user-rows.ts'
import { list, optionalText, page, text, type AwsCall, type AwsOperation, type Structure } from '../operation.ts'
import { AwsRefusal, alreadyExists, deleteConflict, invalid, limitExceeded } from '../refusal.ts'

const MAX_USERS = 5000
const MAX_TAGS = 50

export function userOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  const userDetails = (call: AwsCall, user: User): Structure => {
    const [boundary] = users.parts(call, user, 'boundary')
    const tags = users.parts(call, user, 'tag').map(tagView)
    return {
      ...userSummary(user),
      ...boundaryView(boundary?.name),
      Tags: tags.length === 0 ? undefined : tags,
    }
  }
  const putTags = (call: AwsCall, user: User): void => {
    const tags = list(call, 'Tags').map((tag, index) => ({
      key: tagText(tag, 'Key', index),
      value: tagText(tag, 'Value', index),
    }))
    if (new Set(tags.map(({ key }) => key.toLowerCase())).size < tags.length) {
      throw new AwsRefusal(
        400,
        'InvalidInput',
        'Duplicate tag keys found. Please note that Tag keys are case insensitive.',
      )
    }
    for (const { key, value } of tags) users.putPart(call, user, 'tag', key, { value })
    if (users.currentParts(user).filter(({ kind }) => kind === 'tag').length > MAX_TAGS) {
      throw limitExceeded(`Cannot exceed quota for TagsPerUser: ${MAX_TAGS}`)
    }
  }
  return [
    {
      service: 'iam',
      action: 'CreateUser',
      isRead: false,
      handle(call) {
        const name = userName(call)
        const path = pathOf(call, 'Path')
        const boundary = optionalText(call, 'PermissionsBoundary')
        if (boundary !== undefined) managedStatements(cloud, boundary)
        if (users.exists(call.account, name)) throw alreadyExists(`User with name ${name} already exists.`)
        if (users.count(call.account) >= MAX_USERS)
          throw limitExceeded(`Cannot exceed quota for UsersPerAccount: ${MAX_USERS}`)
        const user = users.add(call, name, path)
        if (boundary !== undefined) users.putPart(call, user, 'boundary', boundary)
        putTags(call, user)
        return {
          User: { ...userSummary(user), ...boundaryView(boundary), Tags: requestedTags(call) },
        }
      },
    },
    {
      service: 'iam',
      action: 'GetUser',
      isRead: true,
      handle: (call) => ({ User: userDetails(call, users.get(call)) }),
    },
    {
      service: 'iam',
      action: 'ListUsers',
      isRead: true,
      handle(call) {
        const { rows, rest } = page(call, users.list(call, pathOf(call, 'PathPrefix')), ({ name }) => name)
        return { Users: rows.map(userSummary), ...rest }
      },
    },
    changeUser(cloud, 'DeleteUser', (call, user) => {
      const attachedPart = users.currentParts(user).find(({ kind }) => kind !== 'tag' && kind !== 'boundary')
      if (attachedPart !== undefined)
        throw deleteConflict(
          deleteConflicts[attachedPart.kind] ?? `Cannot delete entity, must delete its ${attachedPart.kind} first.`,
        )
      users.remove(call, user)
      return undefined
    }),
    {
      service: 'iam',
      action: 'TagUser',
      isRead: false,
      handle(call) {
        putTags(call, users.existing(call))
        return undefined
      },
    },
    listParts(cloud, 'ListUserTags', 'tag', 'Tags', (_, tag) => tagView(tag)),
    changeUser(cloud, 'PutUserPermissionsBoundary', (call, user) => {
      const arn = text(call, 'PermissionsBoundary')
      managedStatements(cloud, arn)
      for (const part of users.parts(call, user, 'boundary')) users.removePart(call, user, 'boundary', part.name)
      users.putPart(call, user, 'boundary', arn)
      return undefined
    }),
  ]
}

const deleteConflicts: Readonly<Record<string, string>> = {
  login: 'Cannot delete entity, must delete login profile first.',
  inline: 'Cannot delete entity, must delete policies first.',
  attached: 'Cannot delete entity, must detach all policies first.',
  key: 'Cannot delete entity, must delete access keys first.',
  group: 'Cannot delete entity, must remove users from group first.',
  mfa: 'Cannot delete entity, must delete MFA device first.',
  certificate: 'Cannot delete entity, must delete signing certificates first.',
  ssh: 'Cannot delete entity, must delete SSH public keys first.',
  service: 'Cannot delete entity, must delete service specific credentials first.',
}

const userSummary = (user: User): Structure => ({
  Path: user.path,
  UserName: user.name,
  UserId: user.uid,
  Arn: userArn(user.account, user.path, user.name),
  CreateDate: new Date(user.created_at),
})

const boundaryView = (arn: string | undefined): Structure =>
  arn === undefined ? {} : { PermissionsBoundary: { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: arn } }

const requestedTags = (call: AwsCall) => {
  const tags = list(call, 'Tags')
  return tags.length === 0 ? undefined : tags
}

const tagView = ({ name, doc }: { name: string; doc: string }): Structure => ({
  Key: name,
  Value: (JSON.parse(doc) as { value: string }).value,
})

const MAX_TAG_LENGTH = { Key: 128, Value: 256 } as const

function tagText(tag: Structure, member: 'Key' | 'Value', index: number): string {
  const requested = tag[member]
  const value = typeof requested === 'string' ? requested : ''
  const lengthError = (constraint: string) =>
    invalid(
      `1 validation error detected: Value '${value}' at 'tags.${index + 1}.member.${member.toLowerCase()}' failed to satisfy constraint: Member must have length ${constraint}`,
    )
  if (member === 'Key' && value === '') throw lengthError('greater than or equal to 1')
  if (value.length > MAX_TAG_LENGTH[member]) throw lengthError(`less than or equal to ${MAX_TAG_LENGTH[member]}`)
  return value
}

function userName(call: AwsCall): string {
  const name = text(call, 'UserName')
  if (/^[\w+=,.@-]{1,64}$/.test(name)) return name
  throw invalid(
    'The specified value for userName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-',
  )
}

function pathOf(call: AwsCall, member: string): string {
  const path = optionalText(call, member) ?? '/'
  if (/^\/(?:[!-~]+\/)?$/.test(path) || (member === 'PathPrefix' && path.startsWith('/'))) return path
  throw invalid(`The specified value for ${member} is invalid. It must begin and end with /.`)
}
