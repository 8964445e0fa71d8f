import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Aws } from '#src/aws/aws.ts'
import { signsIn } from '#src/aws/iam/sign-in.ts'
import { may } from '#src/aws/iam/rights.ts'
import { iso, wholeSecond, type Clock } from '#src/clock/clock.ts'
import { html, type Html } from '#src/pages/html.ts'
import { page } from '#src/pages/layout.ts'

/** What every signed-in person does first: it tells whether anything is left to do. */
const probe = 'ec2:DescribeInstances'

/** The console's sign-in page of an account. There is no console behind it: it says what would be met there. */
export function mountSignIn(scope: FastifyInstance, { aws, clock }: { aws: Aws; clock: Clock }): void {
  const show = (reply: FastifyReply, content: Html) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'",
      )
      .header('referrer-policy', 'no-referrer')
      .send(page('AWS sign-in', '', iso(wholeSecond(clock.now())), content))

  scope.get('/aws/signin', (request, reply) => {
    const { account = '' } = request.query as { account?: string }
    return show(reply, form(account))
  })
  scope.post('/aws/signin', (request, reply) => {
    const now = clock.now()
    aws.settle(now)
    const typed = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
    const account = typed.get('account') ?? ''
    const name = typed.get('user') ?? ''
    const user = aws.cloud.users.find({ account, arn: '', input: {}, now, lag: 0 }, name)
    const login =
      user === undefined || user.deleted_at !== null ? undefined : signsIn(aws.cloud, user, typed.get('password') ?? '')
    if (user === undefined || login === undefined) {
      return show(
        reply.code(403),
        html`<p role="alert">Your authentication information is incorrect. Please try again.</p>
          ${[form(account)]}`,
      )
    }
    if (!may(aws.cloud, user, probe, now)) {
      return show(
        reply.code(403),
        html`<p role="alert">${name} is signed in, and may do nothing: access is denied.</p>`,
      )
    }
    const next = login.resetRequired ? 'The console asks for a new password now.' : 'The console opens.'
    return show(reply, html`<p role="status">${name} is signed in to account ${account}. ${next}</p>`)
  })
}

const form = (account: string): Html =>
  html`<form method="post" action="/aws/signin">
    <p>
      <label>Account ID <input name="account" value="${account}" autocomplete="off" /></label>
    </p>
    <p>
      <label>IAM username <input name="user" autocomplete="off" /></label>
    </p>
    <p>
      <label>Password <input name="password" type="password" autocomplete="off" /></label>
    </p>
    <p><button>Sign in</button></p>
  </form>`
