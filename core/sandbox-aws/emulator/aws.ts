import { authorize, type Caller } from './caller.ts'
import type { AwsCloud } from './cloud.ts'
import { credentialOperations } from './iam/credentials.ts'
import { managedPolicyOperations } from './iam/managed-policies.ts'
import { loginOperations } from './iam/sign-in.ts'
import { simulationOperations } from './iam/simulate.ts'
import { userPolicyOperations } from './iam/user-policies.ts'
import { Users } from './iam/user-rows.ts'
import { userOperations } from './iam/users.ts'
import type { AwsOperation, AwsService, Structure } from './operation.ts'
import { createOrganization, organizationOperations } from './organizations/accounts.ts'
import { AwsRefusal } from './refusal.ts'
import { stsOperations } from './sts/sts.ts'
import { awsTables } from './tables.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

/** Seconds until new credentials work everywhere. Reports mention about 5, 10 or 15 s (vault#687, aws-sdk-js#559). */
const propagationSeconds = 10

interface LateRow {
  readonly seq: number
  readonly due_at: number
  readonly account: string
  readonly arn: string
  readonly operation: string
  readonly input: string
}

export interface AwsContext extends Emulated {
  readonly aws: Aws
}

export class Aws {
  readonly cloud: AwsCloud
  readonly #operations: ReadonlyMap<string, AwsOperation>

  /** @param latency factor on the time until new credentials work everywhere */
  constructor(database: Database, now: number, latency: number) {
    database.applySchema(awsTables)
    this.cloud = {
      database,
      users: new Users(database),
      propagationMs: Math.round(latency * propagationSeconds * 1000),
    }
    database.transaction(() => createOrganization(this.cloud, now))
    const operations = [
      ...userOperations(this.cloud),
      ...loginOperations(this.cloud),
      ...userPolicyOperations(this.cloud),
      ...managedPolicyOperations(this.cloud),
      ...credentialOperations(this.cloud),
      ...simulationOperations(this.cloud),
      ...stsOperations(this.cloud),
      ...organizationOperations(this.cloud),
    ]
    this.#operations = new Map(operations.map((operation) => [nameOf(operation), operation]))
  }

  find(service: AwsService, action: string): AwsOperation | undefined {
    return this.#operations.get(`${prefixes[service]}_${action}`)
  }

  /** @param lag milliseconds until reads show the change */
  execute(operation: AwsOperation, caller: Caller, input: Structure, now: number, lag: number): Structure | undefined {
    const { account, arn } = caller
    return this.cloud.database.transaction(() => {
      authorize(this.cloud, caller, operation, now)
      const output = operation.handle({ account, arn, input, now, lag })
      if (!operation.isRead) this.#recordCall(operation, account, input, now)
      return output
    })
  }

  postpone(operation: AwsOperation, { account, arn }: Caller, input: Structure, due: number): void {
    this.cloud.database.run(
      'INSERT INTO aws_late (due_at, account, arn, operation, input) VALUES (?, ?, ?, ?, ?)',
      due,
      account,
      arn,
      nameOf(operation),
      JSON.stringify(input),
    )
  }

  /** Runs the postponed calls that are due. There are no timers, so every read must call this first. */
  settle(now: number): void {
    for (;;) {
      const late = this.cloud.database.one<LateRow>(
        'SELECT * FROM aws_late WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1',
        now,
      )
      if (late === undefined) return
      this.cloud.database.run('DELETE FROM aws_late WHERE seq = ?', late.seq)
      const operation = this.#operations.get(late.operation)
      if (operation === undefined) continue
      try {
        const input = JSON.parse(late.input) as Structure
        this.execute(operation, { account: late.account, arn: late.arn, user: null }, input, late.due_at, 0)
      } catch (error) {
        // A postponed call that is refused is skipped, because no client is waiting for its reply.
        if (!(error instanceof AwsRefusal)) throw error
      }
    }
  }

  #recordCall(operation: AwsOperation, account: string, input: Structure, now: number): void {
    this.cloud.database.run(
      'INSERT INTO aws_history (at, operation, account, name) VALUES (?, ?, ?, ?)',
      now,
      nameOf(operation),
      account,
      subjectOf(input),
    )
  }
}

const prefixes: Readonly<Record<AwsService, string>> = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' }

/** Returns the name of an operation in faults and call counts, such as IAM_CreateUser. */
export const nameOf = ({ service, action }: AwsOperation): string => `${prefixes[service]}_${action}`

export function subjectOf(input: Structure): string {
  const nameMembers = [
    'UserName',
    'AccountId',
    'ChildId',
    'TargetId',
    'PolicyName',
    'PolicyArn',
    'RoleArn',
    'SerialNumber',
  ]
  const subject = nameMembers.map((member) => input[member]).find((value) => typeof value === 'string')
  return typeof subject === 'string' ? subject : ''
}
