import type { AwsCloud } from '../cloud.ts'
import type { Part, PartKind, User } from './user-rows.ts'
import { page, text, type AwsCall, type AwsOperation, type Structure, type Value } from '../operation.ts'
import { noSuchEntity } from '../refusal.ts'

export const readUser = (
  { users }: AwsCloud,
  action: string,
  read: (call: AwsCall, user: User) => Structure,
): AwsOperation => ({ service: 'iam', action, isRead: true, handle: (call) => read(call, users.get(call)) })

export const changeUser = (
  { users }: AwsCloud,
  action: string,
  change: (call: AwsCall, user: User) => Structure | undefined,
): AwsOperation => ({ service: 'iam', action, isRead: false, handle: (call) => change(call, users.existing(call)) })

export function listParts(
  { users }: AwsCloud,
  action: string,
  kind: PartKind,
  member: string,
  toView: (user: User, part: Part) => Value,
): AwsOperation {
  return {
    service: 'iam',
    action,
    isRead: true,
    handle(call): Structure {
      const user = users.get(call)
      const { rows, rest } = page(call, users.parts(call, user, kind), ({ name }) => name)
      return { [member]: rows.map((part) => toView(user, part)), ...rest }
    },
  }
}

export function attachPart({ users }: AwsCloud, action: string, kind: PartKind, member: string): AwsOperation {
  return {
    service: 'iam',
    action,
    isRead: false,
    handle(call) {
      users.putPart(call, users.existing(call), kind, text(call, member))
      return undefined
    },
  }
}

export function removePart(
  { users }: AwsCloud,
  action: string,
  kind: PartKind,
  member: string,
  missing = (name: string) => `${member} ${name} cannot be found.`,
): AwsOperation {
  return {
    service: 'iam',
    action,
    isRead: false,
    handle(call) {
      const user = users.existing(call)
      const name = text(call, member)
      if (!users.removePart(call, user, kind, name)) throw noSuchEntity(missing(name))
      return undefined
    },
  }
}
