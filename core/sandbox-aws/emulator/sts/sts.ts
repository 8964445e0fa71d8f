import { randomBytes } from 'node:crypto'
import { portalAccount, type AwsCloud } from '../cloud.ts'
import { uniqueId } from '../ids.ts'
import { text, type AwsOperation } from '../operation.ts'
import { AwsRefusal, invalid } from '../refusal.ts'

/** Role that AWS creates in every new account of the organization. */
const ACCESS_ROLE = 'OrganizationAccountAccessRole'
const MIN_SECONDS = 900
const MAX_SECONDS = 3600

export function stsOperations({ database, users }: AwsCloud): AwsOperation[] {
  return [
    {
      service: 'sts',
      action: 'GetCallerIdentity',
      isRead: true,
      handle: ({ account, arn }) => ({ UserId: userIdOf(arn), Account: account, Arn: arn }),
    },
    {
      service: 'sts',
      action: 'AssumeRole',
      isRead: false,
      handle(call) {
        const roleArn = text(call, 'RoleArn')
        const session = text(call, 'RoleSessionName')
        const seconds = Number(call.input.DurationSeconds ?? MAX_SECONDS)
        if (!/^[\w+=,.@-]{2,64}$/.test(session)) throw invalid('The RoleSessionName is not valid.')
        if (!Number.isInteger(seconds) || seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
          throw invalid('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.')
        }
        const [, account, role] = /^arn:aws:iam::(\d{12}):role\/([\w+=,.@-]+)$/.exec(roleArn) ?? []
        const knownAccount = database.one('SELECT id FROM aws_account WHERE id = ?', account ?? '')
        if (
          account === undefined ||
          role !== ACCESS_ROLE ||
          knownAccount === undefined ||
          call.account !== portalAccount
        ) {
          throw new AwsRefusal(
            403,
            'AccessDenied',
            `User: ${call.arn} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`,
          )
        }
        const arn = `arn:aws:sts::${account}:assumed-role/${role}/${session}`
        const key = uniqueId('ASIA')
        const secret = randomBytes(30).toString('base64')
        const token = randomBytes(96).toString('base64')
        const expires = call.now + seconds * 1000
        database.run('DELETE FROM aws_session WHERE expires_at < ?', call.now)
        database.run(
          'INSERT INTO aws_session (access_key, secret, token, account, arn, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          key,
          secret,
          token,
          account,
          arn,
          expires,
        )
        return {
          Credentials: {
            AccessKeyId: key,
            SecretAccessKey: secret,
            SessionToken: token,
            Expiration: new Date(expires),
          },
          AssumedRoleUser: { AssumedRoleId: `AROAEMULATEDROLE0000:${session}`, Arn: arn },
        }
      },
    },
  ]

  function userIdOf(arn: string): string {
    const [, account, name] = /:(\d{12}):user\/(?:.*\/)?([^/]+)$/.exec(arn) ?? []
    const user = users
      .allEver()
      .find((each) => each.account === account && each.name === name && each.deleted_at === null)
    return user?.uid ?? 'AIDAEMULATEDPORTAL00'
  }
}
