import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAllowed } from './iam/permissions.ts'
import { changePassword, checkPassword } from './iam/sign-in.ts'
import type { AwsContext } from './aws.ts'
import { AwsRefusal } from './refusal.ts'
import { html, Html } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'

/** Action that is checked to find out if a user is denied all access. */
const PROBED_ACTION = 'ec2:DescribeInstances'

const style = new Html(`<style>
form { display: grid; gap: .9rem; max-width: 22rem }
label { display: grid; gap: .2rem; font-weight: 600 }
input { font: inherit; padding: .45rem .6rem; border: 1px solid var(--quiet); border-radius: .3rem; background: transparent; color: inherit }
button { justify-self: start; font: inherit; font-weight: 600; padding: .5rem 1.1rem; border: 0; border-radius: .3rem; background: #0b57a4; color: #fff; cursor: pointer }
[role] { padding: .7rem 1rem; border-inline-start: .25rem solid var(--accent); background: var(--soft) }
</style>`)

/** Serves the sign-in page. The emulator has no console: the page states what the user would see there. */
export function mountSignIn(scope: FastifyInstance, context: AwsContext): void {
  const { aws, clock } = context
  const show = (reply: FastifyReply, content: Html) =>
    sendPage(reply, context, 'AWS sign-in', html`${[style, content]}`)

  scope.get('/aws/signin', (request, reply) => {
    const { account = '' } = request.query as { account?: string }
    return show(reply, signInForm(account))
  })
  scope.post('/aws/signin', (request, reply) => {
    const now = clock.now()
    aws.settle(now)
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
    const field = (name: string) => form.get(name) ?? ''
    const [account, name, password] = [field('account'), field('user'), field('password')]
    const call = { account, arn: '', input: {}, now, lag: 0 }
    const user = aws.cloud.users.find(call, name)
    const login = user === undefined || user.deleted_at !== null ? undefined : checkPassword(aws.cloud, user, password)
    if (user === undefined || login === undefined) {
      const alert = html`<p role="alert">Your authentication information is incorrect. Please try again.</p>`
      return show(reply.code(403), html`${[alert, signInForm(account)]}`)
    }
    if (!isAllowed(aws.cloud, user, PROBED_ACTION, now)) {
      const alert = html`<p role="alert">${name} is signed in, but access to everything is denied.</p>`
      return show(reply.code(403), alert)
    }
    const signedIn = `${name} is signed in to account ${account}.`
    if (!login.resetRequired) return show(reply, html`<p role="status">${signedIn} The console opens.</p>`)
    const newPassword = field('newPassword')
    if (newPassword === '') {
      const prompt = html`<p role="status">${signedIn} The console asks for a new password now.</p>`
      return show(reply, html`${[prompt, newPasswordForm(account, name)]}`)
    }
    try {
      changePassword(aws.cloud, call, user, newPassword)
    } catch (error) {
      if (!(error instanceof AwsRefusal)) throw error
      const alert = html`<p role="alert">${error.message}</p>`
      return show(reply.code(400), html`${[alert, newPasswordForm(account, name)]}`)
    }
    return show(reply, html`<p role="status">${signedIn} The new password is set, and the console opens.</p>`)
  })
}

const signInForm = (account: string): Html =>
  html`<form method="post" action="/aws/signin">
    <label>Account ID <input name="account" value="${account}" autocomplete="off" /></label>
    <label>IAM username <input name="user" autocomplete="off" /></label>
    <label>Password <input name="password" type="password" autocomplete="off" /></label>
    <button>Sign in</button>
  </form>`

const newPasswordForm = (account: string, user: string): Html =>
  html`<form method="post" action="/aws/signin">
    <input type="hidden" name="account" value="${account}" />
    <input type="hidden" name="user" value="${user}" />
    <label>Old password <input name="password" type="password" autocomplete="off" /></label>
    <label>New password <input name="newPassword" type="password" autocomplete="off" /></label>
    <button>Confirm password change</button>
  </form>`
