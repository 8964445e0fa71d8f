import type { AwsCloud } from '#src/aws/cloud.ts'
import type { Part, PartKind, User } from '#src/aws/iam/user-rows.ts'
import { page, text, type AwsCall, type AwsOperation, type Structure, type Value } from '#src/aws/operation.ts'
import { noSuchEntity } from '#src/aws/refusal.ts'

/** A call that reads one user, as readers see them just now. */
export const readingUser = (
  { users }: AwsCloud,
  action: string,
  read: (call: AwsCall, user: User) => Structure,
): AwsOperation => ({ service: 'iam', action, reads: true, handle: (call) => read(call, users.get(call)) })

/** A call that changes one user. */
export const changingUser = (
  { users }: AwsCloud,
  action: string,
  change: (call: AwsCall, user: User) => Structure | undefined,
): AwsOperation => ({ service: 'iam', action, reads: false, handle: (call) => change(call, users.existing(call)) })

/** Lists what of one kind hangs on a user, by pages, as `member` of the reply. */
export function listing(
  { users }: AwsCloud,
  action: string,
  kind: PartKind,
  member: string,
  shown: (user: User, part: Part) => Value,
): AwsOperation {
  return {
    service: 'iam',
    action,
    reads: true,
    handle(call): Structure {
      const user = users.get(call)
      const { rows, rest } = page(call, users.parts(call, user, kind), ({ name }) => name)
      return { [member]: rows.map((part) => shown(user, part)), ...rest }
    },
  }
}

/** Hangs on a user what the call names as `member`. */
export function adding({ users }: AwsCloud, action: string, kind: PartKind, member: string): AwsOperation {
  return {
    service: 'iam',
    action,
    reads: false,
    handle(call) {
      users.put(call, users.existing(call), kind, text(call, member))
      return undefined
    },
  }
}

/** Takes from a user what the call names as `member`. */
export function removing(
  { users }: AwsCloud,
  action: string,
  kind: PartKind,
  member: string,
  missing = (name: string) => `${member} ${name} cannot be found.`,
): AwsOperation {
  return {
    service: 'iam',
    action,
    reads: false,
    handle(call) {
      const user = users.existing(call)
      const name = text(call, member)
      if (!users.drop(call, user, kind, name)) throw noSuchEntity(missing(name))
      return undefined
    },
  }
}
