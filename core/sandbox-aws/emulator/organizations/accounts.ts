import { organization, poolAccounts, portalAccount, type AwsCloud } from '../cloud.ts'
import { text, type AwsCall, type AwsOperation, type Structure } from '../operation.ts'
import { AwsRefusal } from '../refusal.ts'

interface Account {
  readonly id: string
  readonly name: string
  readonly parent: string
  readonly joined_at: number
}

const units: ReadonlySet<string> = new Set([organization.root, organization.labs, organization.cleanup])

export function createOrganization({ database }: AwsCloud, now: number): void {
  const add = (id: string, name: string, parent: string) =>
    database.run(
      'INSERT INTO aws_account (id, name, parent, joined_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      id,
      name,
      parent,
      now,
    )
  add(portalAccount, 'Trainyard', organization.root)
  for (const [index, id] of poolAccounts.entries()) add(id, `Lab account ${index + 1}`, organization.labs)
  database.run(
    'INSERT INTO aws_control (policy, target) VALUES (?, ?) ON CONFLICT DO NOTHING',
    organization.denyAll,
    organization.cleanup,
  )
}

export function organizationOperations({ database }: AwsCloud): AwsOperation[] {
  const accounts = () => database.all<Account>('SELECT * FROM aws_account ORDER BY id')
  const requireAccount = (id: string): Account => {
    const account = accounts().find((each) => each.id === id)
    if (account === undefined) {
      throw new AwsRefusal(400, 'AccountNotFoundException', "You specified an account that doesn't exist.")
    }
    return account
  }
  const requireUnit = (id: string, code: string): string => {
    if (units.has(id)) return id
    throw new AwsRefusal(400, code, `We can't find the root or organizational unit ${id}.`)
  }
  const requirePolicy = (policy: string): string => {
    if (policy === organization.denyAll) return policy
    throw new AwsRefusal(400, 'PolicyNotFoundException', `We can't find a policy with the id ${policy}.`)
  }
  const policiesOn = (target: string) =>
    database.all<{ policy: string }>('SELECT policy FROM aws_control WHERE target = ?', target)
  return [
    {
      service: 'organizations',
      action: 'ListAccounts',
      isRead: true,
      handle: (call) => accountPage(call, accounts()),
    },
    {
      service: 'organizations',
      action: 'DescribeAccount',
      isRead: true,
      handle: (call) => ({ Account: accountView(requireAccount(text(call, 'AccountId'))) }),
    },
    {
      service: 'organizations',
      action: 'ListAccountsForParent',
      isRead: true,
      handle(call) {
        const parent = requireUnit(text(call, 'ParentId'), 'ParentNotFoundException')
        return accountPage(
          call,
          accounts().filter((account) => account.parent === parent),
        )
      },
    },
    {
      service: 'organizations',
      action: 'ListParents',
      isRead: true,
      handle(call) {
        const { parent } = requireAccount(text(call, 'ChildId'))
        const type = parent === organization.root ? 'ROOT' : 'ORGANIZATIONAL_UNIT'
        return { Parents: [{ Id: parent, Type: type }] }
      },
    },
    {
      service: 'organizations',
      action: 'MoveAccount',
      isRead: false,
      handle(call) {
        const account = requireAccount(text(call, 'AccountId'))
        const source = requireUnit(text(call, 'SourceParentId'), 'SourceParentNotFoundException')
        const destination = requireUnit(text(call, 'DestinationParentId'), 'DestinationParentNotFoundException')
        if (source === destination || account.parent === destination) {
          throw new AwsRefusal(
            400,
            'DuplicateAccountException',
            'That account is already present in the specified destination.',
          )
        }
        if (account.parent !== source) {
          throw new AwsRefusal(
            400,
            'SourceParentNotFoundException',
            "We can't find the account in the source that you specified.",
          )
        }
        database.run('UPDATE aws_account SET parent = ? WHERE id = ?', destination, account.id)
        return undefined
      },
    },
    {
      service: 'organizations',
      action: 'AttachPolicy',
      isRead: false,
      handle(call) {
        const policy = requirePolicy(text(call, 'PolicyId'))
        const target = text(call, 'TargetId')
        if (policiesOn(target).some((each) => each.policy === policy)) {
          throw new AwsRefusal(400, 'DuplicatePolicyAttachmentException', 'The selected policy is already attached.')
        }
        database.run('INSERT INTO aws_control (policy, target) VALUES (?, ?)', policy, target)
        return undefined
      },
    },
    {
      service: 'organizations',
      action: 'DetachPolicy',
      isRead: false,
      handle(call) {
        const policy = requirePolicy(text(call, 'PolicyId'))
        const target = text(call, 'TargetId')
        if (database.run('DELETE FROM aws_control WHERE policy = ? AND target = ?', policy, target) === 0) {
          throw new AwsRefusal(400, 'PolicyNotAttachedException', "The policy isn't attached to the specified target.")
        }
        return undefined
      },
    },
    {
      service: 'organizations',
      action: 'ListPoliciesForTarget',
      isRead: true,
      handle(call) {
        text(call, 'Filter')
        const attached = policiesOn(text(call, 'TargetId'))
        return {
          Policies: attached.map(({ policy }) => ({
            Id: policy,
            Arn: `arn:aws:organizations::${portalAccount}:policy/${organization.id}/service_control_policy/${policy}`,
            Name: 'DenyAll',
            Type: 'SERVICE_CONTROL_POLICY',
            AwsManaged: false,
          })),
        }
      },
    },
  ]
}

const MAX_PAGE_SIZE = 20

function accountPage({ input }: AwsCall, all: readonly Account[]): Structure {
  const size = Number(input.MaxResults ?? MAX_PAGE_SIZE)
  const { NextToken: token } = input
  const after = typeof token === 'string' ? Buffer.from(token, 'base64url').toString('utf8') : ''
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE || !/^(?:\d{12})?$/.test(after)) {
    throw new AwsRefusal(
      400,
      'InvalidInputException',
      'You provided invalid values for one or more request parameters.',
    )
  }
  const remaining = all.filter(({ id }) => id > after)
  const page = remaining.slice(0, size)
  const last = page.at(-1)
  return {
    Accounts: page.map(accountView),
    ...(remaining.length > size && last !== undefined
      ? { NextToken: Buffer.from(last.id, 'utf8').toString('base64url') }
      : {}),
  }
}

const accountView = (account: Account): Structure => ({
  Id: account.id,
  Arn: `arn:aws:organizations::${portalAccount}:account/${organization.id}/${account.id}`,
  Email: `aws+${account.id}@trainyard.test`,
  Name: account.name,
  // `Status` was retired on 2026-09-09.
  State: 'ACTIVE',
  JoinedMethod: 'CREATED',
  JoinedTimestamp: new Date(account.joined_at),
})
