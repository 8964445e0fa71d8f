import { authorize, type Caller } from '#src/aws/caller.ts'
import type { AwsCloud } from '#src/aws/cloud.ts'
import { credentialOperations } from '#src/aws/iam/credentials.ts'
import { managedPolicyOperations } from '#src/aws/iam/managed-policies.ts'
import { loginOperations } from '#src/aws/iam/sign-in.ts'
import { simulationOperations } from '#src/aws/iam/simulate.ts'
import { userPolicyOperations } from '#src/aws/iam/user-policies.ts'
import { Users } from '#src/aws/iam/user-rows.ts'
import { userOperations } from '#src/aws/iam/users.ts'
import type { AwsOperation, AwsService, Structure } from '#src/aws/operation.ts'
import { foundOrganization, organizationOperations } from '#src/aws/organizations/accounts.ts'
import { AwsRefusal } from '#src/aws/refusal.ts'
import { stsOperations } from '#src/aws/sts/sts.ts'
import { awsTables } from '#src/aws/tables.ts'
import type { Book } from '#src/record/book.ts'

/** Seconds that new credentials take to be known everywhere: about 5, 10 or 15 are told of (vault#687, aws-sdk-js#559). */
const secondsToSpread = 10

interface LateRow {
  readonly seq: number
  readonly due_at: number
  readonly account: string
  readonly arn: string
  readonly operation: string
  readonly input: string
}

/** AWS as it stands in the record, and what can be asked of it. */
export class Aws {
  readonly cloud: AwsCloud
  readonly #operations: ReadonlyMap<string, AwsOperation>

  /** `latency`: a factor on how long new credentials take to be known everywhere. */
  constructor(book: Book, now: number, latency: number) {
    book.prepare(awsTables)
    this.cloud = { book, users: new Users(book), spreading: Math.round(latency * secondsToSpread * 1000) }
    book.transaction(() => foundOrganization(this.cloud, now))
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

  /** Does what was asked, all of it or nothing. `lag`: milliseconds until readers see it. */
  carryOut(operation: AwsOperation, caller: Caller, input: Structure, now: number, lag: number): Structure | undefined {
    const { account, arn } = caller
    return this.cloud.book.transaction(() => {
      authorize(this.cloud, caller, operation, now)
      const output = operation.handle({ account, arn, input, now, lag })
      if (!operation.reads) this.#note(operation, account, input, now)
      return output
    })
  }

  /** Keeps a call to be done by itself later: its caller is never told. */
  postpone(operation: AwsOperation, { account, arn }: Caller, input: Structure, due: number): void {
    this.cloud.book.run(
      'INSERT INTO aws_late (due_at, account, arn, operation, input) VALUES (?, ?, ?, ?, ?)',
      due,
      account,
      arn,
      nameOf(operation),
      JSON.stringify(input),
    )
  }

  /** Does what has come due since. Nothing ticks: whoever looks settles first. */
  settle(now: number): void {
    for (;;) {
      const late = this.cloud.book.one<LateRow>(
        'SELECT * FROM aws_late WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1',
        now,
      )
      if (late === undefined) return
      this.cloud.book.run('DELETE FROM aws_late WHERE seq = ?', late.seq)
      const operation = this.#operations.get(late.operation)
      if (operation === undefined) continue
      try {
        const input = JSON.parse(late.input) as Structure
        this.carryOut(operation, { account: late.account, arn: late.arn, user: null }, input, late.due_at, 0)
      } catch (error) {
        // A step that can't be done any more by then is skipped: nobody waits for the answer.
        if (!(error instanceof AwsRefusal)) throw error
      }
    }
  }

  #note(operation: AwsOperation, account: string, input: Structure, now: number): void {
    this.cloud.book.run(
      'INSERT INTO aws_history (at, operation, account, name) VALUES (?, ?, ?, ?)',
      now,
      nameOf(operation),
      account,
      subjectOf(input),
    )
  }
}

const prefixes: Readonly<Record<AwsService, string>> = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' }

/** The name that faults and counts know an operation by: IAM_CreateUser. */
export const nameOf = ({ service, action }: AwsOperation): string => `${prefixes[service]}_${action}`

/** Whom or what a call is about. */
export function subjectOf(input: Structure): string {
  const named = ['UserName', 'AccountId', 'ChildId', 'TargetId', 'PolicyName', 'PolicyArn', 'RoleArn', 'SerialNumber']
  const subject = named.map((member) => input[member]).find((value) => typeof value === 'string')
  return typeof subject === 'string' ? subject : ''
}
