import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AzureContext } from './arm/mount.ts'
import { assignmentsFor } from './authorization/role-assignments.ts'
import { roleOf } from './authorization/roles.ts'
import { groupType } from './groups/resource-groups.ts'
import type { Machine } from './compute/machines.ts'
import { callsAsLabUser, createLabMachine } from '@trainyard/platform/emulator/control/lab-user-calls.ts'
import type { DirectoryUser } from './directory.ts'
import { registerForms, formFields } from '@trainyard/platform/emulator/pages/forms.ts'
import { html, type Html } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'

const sizes = ['Standard_B1s', 'Standard_B2s', 'Standard_D2s_v3', 'Standard_D16ds_v4']

/** Serves a page that replaces Azure's portal. */
export function mountPortal(server: FastifyInstance, context: AzureContext): void {
  registerForms(server, (scope) => answerPortal(scope, server, context))
}

interface Session {
  readonly user: string
  readonly since: number
}

function answerPortal(scope: FastifyInstance, server: FastifyInstance, context: AzureContext): void {
  const { cloud, clock } = context
  const sessions = new Map<string, Session>()

  /** Users who have entered their password but have no second factor yet. */
  const registrations = new Map<string, string>()

  function openSession(reply: FastifyReply, user: DirectoryUser): FastifyReply {
    const key = randomUUID()
    sessions.set(key, { user: user.id, since: clock.now() })
    return reply.header('set-cookie', `portal=${key}; Path=/portal; HttpOnly; SameSite=Strict`).redirect('/portal', 303)
  }

  const show = (reply: FastifyReply, content: Html) => sendPage(reply, context, 'Azure portal', content)

  function signedIn(request: FastifyRequest): DirectoryUser | undefined {
    const key = /(?:^|; )portal=([0-9a-f-]+)/.exec(request.headers.cookie ?? '')?.[1]
    const session = sessions.get(key ?? '')
    const user = session === undefined ? undefined : cloud.directory.existing(session.user)
    if (user === undefined || session === undefined || user.enabled === 0) return undefined
    return (user.sessions_revoked_at ?? 0) >= session.since ? undefined : user
  }

  scope.get('/portal', (request, reply) => {
    cloud.late.settle(clock.now())
    cloud.operations.settle(clock.now())
    const user = signedIn(request)
    return show(reply, user === undefined ? signInForm() : groupsOf(context, user))
  })

  scope.post('/portal', (request, reply) => {
    const form = formFields(request)
    const user = cloud.directory.existing(form.get('user')?.trim() ?? '')
    const password = form.get('password') ?? ''
    // A Temporary Access Pass counts as multifactor authentication.
    const hasPass = user?.enabled === 1 && cloud.directory.useAccessPass(user, password, clock.now())
    if (user === undefined || (!hasPass && user.password !== password)) {
      return show(reply.code(403), signInForm('Your account or password is incorrect.'))
    }
    if (user.enabled === 0) return show(reply.code(403), signInForm('Your account has been locked.'))
    if (hasPass) return openSession(reply, user)
    if (cloud.directory.hasAuthenticator(user)) return openSession(reply, user)
    const registration = randomUUID()
    registrations.set(registration, user.id)
    return show(reply, registrationForm(registration))
  })

  scope.post('/portal/authenticator', (request, reply) => {
    const registration = formFields(request).get('registration') ?? ''
    const user = cloud.directory.existing(registrations.get(registration) ?? '')
    registrations.delete(registration)
    if (user === undefined || user.enabled === 0) return show(reply.code(403), signInForm('Please sign in again.'))
    cloud.directory.addAuthenticator(user)
    return openSession(reply, user)
  })

  scope.post('/portal/machines', async (request, reply) => {
    const user = signedIn(request)
    if (user === undefined) return reply.redirect('/portal', 303)
    const form = formFields(request)
    const [resourceGroup, name] = [form.get('group') ?? '', form.get('name') ?? '']
    const verb = form.get('do') ?? ''
    const answer = ['start', 'deallocate'].includes(verb)
      ? await callsAsLabUser(server, user.upn, resourceGroup).call(
          'POST',
          `/providers/Microsoft.Compute/virtualMachines/${encodeURIComponent(name)}/${verb}`,
          '2024-07-01',
        )
      : await createLabMachine(server, clock, user.upn, { resourceGroup, name, size: form.get('size') ?? '' })
    if (answer.statusCode < 300) return reply.redirect('/portal', 303)
    const message = answer.json<{ error: { message: string } }>().error.message
    return show(
      reply.code(answer.statusCode),
      html`<p role="alert">${message}</p>
        ${[groupsOf(context, user)]}`,
    )
  })
}

const signInForm = (problem = ''): Html =>
  html`${problem === '' ? html`` : html`<p role="alert">${problem}</p>`}
    <form method="post" action="/portal">
      <p>
        <label>User name <input name="user" autocomplete="username" /></label>
      </p>
      <p>
        <label>Password <input name="password" type="password" autocomplete="current-password" /></label>
      </p>
      <p><button type="submit">Sign in</button></p>
    </form>`

/**
 * Azure's portal requires multifactor authentication of all users. Source:
 * https://learn.microsoft.com/entra/identity/authentication/concept-mandatory-multifactor-authentication
 */
const registrationForm = (registration: string): Html =>
  html`<h2>Let's keep your account secure</h2>
    <p>Your organization requires another way to verify your identity. Set up Microsoft Authenticator on your phone.</p>
    <form method="post" action="/portal/authenticator">
      <input type="hidden" name="registration" value="${registration}" />
      <p><button type="submit">Set up the authenticator</button></p>
    </form>`

function groupsOf({ cloud }: AzureContext, user: DirectoryUser): Html {
  const groups = cloud.resources.ofType(groupType).flatMap((group) => {
    const [role] = assignmentsFor(cloud, user.id, group.subscription, group.name).flatMap(
      (assignment) => roleOf(assignment.role) ?? [],
    )
    return role === undefined ? [] : [{ name: group.name, key: group.key, role }]
  })
  if (groups.length === 0) return html`<p>${user.upn} is signed in but has no resource group.</p>`
  return html`<p>${user.upn} is signed in.</p>
    ${groups.map(({ name, key, role }) => {
      const machines = cloud.database.all<Machine>(
        'SELECT * FROM machine WHERE "group" = ? AND deleted_at IS NULL ORDER BY name',
        key,
      )
      return html`<section>
        <h2>${name}</h2>
        <p class="quiet">${role.name}</p>
        ${
          machines.length === 0
            ? html`<p>This group has no machines.</p>`
            : html`<ul>
                ${machines.map((each) => machineOf(name, each))}
              </ul>`
        }
        ${role.may === 'write' ? newMachine(name, machines.length + 1) : html``}
      </section>`
    })}`
}

const machineOf = (group: string, machine: Machine): Html =>
  html`<li>
    <form method="post" action="/portal/machines">
      <input type="hidden" name="group" value="${group}" /><input type="hidden" name="name" value="${machine.name}" />
      ${machine.name}, ${machine.size}, ${machine.power ?? 'in progress'}
      <button name="do" value="start" aria-label="Start ${machine.name}">Start</button>
      <button name="do" value="deallocate" aria-label="Stop ${machine.name}">Stop</button>
    </form>
  </li>`

const newMachine = (group: string, number: number): Html =>
  html`<form method="post" action="/portal/machines">
    <input type="hidden" name="group" value="${group}" />
    <p>
      <label>Name <input name="name" value="machine-${number}" required /></label>
      <label
        >Size
        <select name="size">
          ${sizes.map((size) => html`<option>${size}</option>`)}
        </select></label
      >
      <button type="submit">Create machine</button>
    </p>
  </form>`
