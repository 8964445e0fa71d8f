import { describe, expect, test } from 'vitest'
import { awsDiagnosis } from './diagnose.ts'
import { bodyText, type WireReply } from './wire.ts'

/** Replies in these tests have the form of AWS's published API models. */

const signal = () => AbortSignal.timeout(10_000)
const XML = { 'content-type': 'text/xml', date: 'Sun, 22 Nov 2026 05:00:00 GMT' }
const xml = (action: string, content: string): WireReply => ({
  status: 200,
  headers: XML,
  body: `<${action}Response xmlns="x"><${action}Result>${content}</${action}Result></${action}Response>`,
})
const refused = (code: string, status = 400): WireReply => ({
  status,
  headers: XML,
  body: `<ErrorResponse xmlns="x"><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error></ErrorResponse>`,
})

const ROLE = 'OrganizationAccountAccessRole'
const USER = 'arn:aws:iam::100000000000:user/portal'

/** Returns a diagnosis whose transport gives these replies by action, and the recorded requests. */
function answered(replies: Readonly<Record<string, (requests: URLSearchParams) => WireReply>>, arn = USER) {
  const requests: URLSearchParams[] = []
  const all: typeof replies = {
    GetCallerIdentity: () => xml('GetCallerIdentity', `<Arn>${arn}</Arn><Account>100000000000</Account>`),
    AssumeRole: () =>
      xml(
        'AssumeRole',
        `<Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>
          <Expiration>2026-11-22T06:00:00Z</Expiration></Credentials>`,
      ),
    ...replies,
  }
  const diagnosis = awsDiagnosis({
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    region: 'us-east-1',
    role: ROLE,
    http: () => async (request) => {
      const target = request.headers['x-amz-target']?.split('.')[1]
      const body = new URLSearchParams(target === undefined ? bodyText(request) : { Action: target })
      requests.push(body)
      return all[body.get('Action') ?? '']!(body)
    },
  })
  return { diagnosis, requests }
}

const result = (action: string, decision: string) =>
  `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision></member>`
const simulated = (...results: string[]) =>
  xml(
    'SimulatePrincipalPolicy',
    `<IsTruncated>false</IsTruncated><EvaluationResults>${results.join('')}</EvaluationResults>`,
  )

describe('the portal’s missing permissions', () => {
  test('lists every denied action on all pages', async () => {
    const { diagnosis, requests } = answered({
      SimulatePrincipalPolicy: (body) =>
        body.get('Marker') === 'second'
          ? simulated(result('iam:DeleteUser', 'explicitDeny'), '<member><EvalDecision>allowed</EvalDecision></member>')
          : xml(
              'SimulatePrincipalPolicy',
              `<IsTruncated>true</IsTruncated><Marker>second</Marker><EvaluationResults>
                ${result('iam:GetUser', 'allowed')}${result('iam:CreateUser', 'implicitDeny')}</EvaluationResults>`,
            ),
    })
    const none = answered({ SimulatePrincipalPolicy: () => xml('SimulatePrincipalPolicy', '') })
    expect(await none.diagnosis.denied(null, ['iam:GetUser'], '*', signal())).toEqual([])
    const actions = ['iam:GetUser', 'iam:CreateUser', 'iam:DeleteUser']
    expect(await diagnosis.denied(null, actions, '*', signal())).toEqual(['iam:CreateUser', 'iam:DeleteUser'])
    expect(requests.at(-1)?.get('PolicySourceArn')).toBe(USER)
  })

  test.each([
    ['of a user', USER, null, USER],
    [
      'of the role of a session',
      'arn:aws:sts::100000000000:assumed-role/portal/worker-1',
      null,
      'arn:aws:iam::100000000000:role/portal',
    ],
    ['of the role in a leased account', USER, '200000000001', `arn:aws:iam::200000000001:role/${ROLE}`],
  ])('simulates the policies %s', async (_, arn, account, source) => {
    const { diagnosis, requests } = answered({ SimulatePrincipalPolicy: () => simulated() }, arn)
    expect(await diagnosis.denied(account, ['iam:GetUser'], '*', signal())).toEqual([])
    expect(requests.at(-1)?.get('PolicySourceArn')).toBe(source)
  })

  test('rejects the root user of an account, which has no policies', async () => {
    const { diagnosis, requests } = answered({}, 'arn:aws:iam::100000000000:root')
    await expect(diagnosis.denied(null, ['iam:GetUser'], '*', signal())).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('100000000000:root'),
    })
    expect(requests.map((body) => body.get('Action'))).not.toContain('SimulatePrincipalPolicy')
  })
})

test('returns the owner of the key with AWS’s time, and fails without a Date header', async () => {
  expect(await answered({}).diagnosis.identity(signal())).toEqual({
    account: '100000000000',
    arn: USER,
    at: new Date('2026-11-22T05:00:00Z'),
  })
  const timeless = answered({
    GetCallerIdentity: () => ({
      ...xml('GetCallerIdentity', `<Arn>${USER}</Arn><Account>100000000000</Account>`),
      headers: { 'content-type': 'text/xml' },
    }),
  })
  await expect(timeless.diagnosis.identity(signal())).rejects.toMatchObject({ kind: 'unreachable' })
})

test('tells an existing, a missing and an unreadable lab policy apart', async () => {
  const policyReply = xml('GetPolicy', '<Policy><PolicyName>labs</PolicyName></Policy>')
  const policy = (reply: WireReply) =>
    answered({ GetPolicy: () => reply }).diagnosis.hasPolicy('arn:aws:iam::aws:policy/labs', signal())
  expect(await policy(policyReply)).toBe(true)
  expect(await policy(refused('NoSuchEntity', 404))).toBe(false)
  await expect(policy(refused('AccessDenied', 403))).rejects.toMatchObject({ kind: 'unauthorised' })
})

test('lists the accounts of a unit from all pages, and returns null for a missing unit', async () => {
  const json = (status: number, body: object): WireReply => ({
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', date: XML.date },
    body: JSON.stringify(body),
  })
  let page = 0
  const pages = [{ Accounts: [{ Id: '1' }, {}], NextToken: 'n' }, { NextToken: 'm' }, { Accounts: [{ Id: '2' }] }]
  const { diagnosis } = answered({ ListAccountsForParent: () => json(200, pages[page++]!) })
  expect(await diagnosis.accountsIn('ou-1', signal())).toEqual(['1', '2'])
  const missing = answered({ ListAccountsForParent: () => json(400, { __type: 'ParentNotFoundException' }) })
  expect(await missing.diagnosis.accountsIn('ou-1', signal())).toBeNull()
})
