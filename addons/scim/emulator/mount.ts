import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { formFields, registerForms } from '@trainyard/platform/emulator/pages/forms.ts'
import { formatInstant, html, type Html, table } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'
import { Provisioning } from './provision.ts'
import { DirectoryRecords, type Group, type Person, type SentRequest, type Style, styles } from './records.ts'

const PAGE = '/directory'

const labels: Readonly<Record<Style, string>> = { entra: 'Microsoft Entra ID', okta: 'Okta' }

const connectionShape = z.object({
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  token: z.string().trim().min(1).max(200),
  style: z.enum(styles),
})
const personShape = z.object({
  user_name: z.string().trim().min(1).max(200),
  given_name: z.string().trim().min(1).max(100),
  family_name: z.string().trim().min(1).max(100),
})
const groupShape = z.object({ name: z.string().trim().min(1).max(100) })

/** Mounts the directory of an organisation: a page whose users and groups are provisioned by SCIM 2.0. */
export function mountDirectory(emulated: Emulated): void {
  const { server, database, settings, clock, tabs } = emulated
  const records = new DirectoryRecords(database, settings)
  tabs.push({ path: PAGE, title: 'Directory' })
  const provisioning = new Provisioning(records, clock)
  let notice = ''

  server.get(PAGE, (_request, reply) => {
    const content = page(records, notice)
    notice = ''
    return sendPage(reply, emulated, 'Directory', content, PAGE)
  })

  registerForms(server, (scope) => {
    /** Registers a form that changes the directory, then sends the changes. */
    const form = (path: string, change: (fields: Record<string, unknown>, number: number) => Promise<void> | void) =>
      scope.post(`${PAGE}/${path}`, async (request, reply) => {
        const fields = formFields(request)
        await change({ ...Object.fromEntries(fields), members: fields.getAll('member').map(Number) }, numberIn(request))
        await provisioning.run()
        return reply.redirect(PAGE, 303)
      })
    form('connection', async (fields) => {
      const input = connectionShape.safeParse(fields)
      if (!input.success) {
        notice = 'Enter the address and the token that the portal shows in Organisation Settings, Directory.'
        return
      }
      const problem = await provisioning.test(input.data)
      notice = problem === null ? 'Connected.' : `The portal did not accept the connection: ${problem}`
      if (problem === null) records.connect(input.data)
    })
    form('provision', () => {})
    form('people', (fields) => {
      const input = personShape.safeParse(fields)
      if (input.success) records.addPerson(input.data.user_name, input.data.given_name, input.data.family_name)
    })
    form('people/:number/active', ({ active }, number) => records.setActive(number, active === 'true'))
    form('people/:number/delete', (_fields, number) => records.markDeleted('scim_person', number))
    form('groups', (fields) => {
      const input = groupShape.safeParse(fields)
      if (input.success) records.addGroup(input.data.name)
    })
    form('groups/:number/members', ({ members }, number) => records.setMembers(number, members as number[]))
    form('groups/:number/delete', (_fields, number) => records.markDeleted('scim_group', number))
  })
}

const numberIn = (request: FastifyRequest): number => Number((request.params as { number?: string }).number)

function page(records: DirectoryRecords, notice: string): Html {
  const { connection } = records
  const people = records.people()
  return html`<p>
      The directory of an organisation, such as Entra ID or Okta. It sends its users and groups to the portal by SCIM
      2.0. In the portal, sign in as an admin, open Organisation Settings, section User Provisioning, create a token,
      and enter it here.
    </p>
    ${notice === '' ? html`` : html`<p role="status"><strong>${notice}</strong></p>`}
    <form method="post" action="${PAGE}/connection">
      <p>
        <label
          >Address
          <input
            name="url"
            value="${connection?.url ?? ''}"
            placeholder="http://127.0.0.1:4000/scim/v2"
            size="32"
            required
        /></label>
        <label
          >Token <input name="token" value="${connection?.token ?? ''}" size="24" autocomplete="off" required
        /></label>
        <label
          >Send requests like
          <select name="style">
            ${styles.map((style) =>
              style === connection?.style
                ? html`<option value="${style}" selected>${labels[style]}</option>`
                : html`<option value="${style}">${labels[style]}</option>`,
            )}
          </select></label
        >
        <button>Connect</button>
      </p>
    </form>
    <h2>Users</h2>
    ${table(['Name', 'User name', 'State', 'At the portal', 'Change'], people.map(personRow))}
    <form method="post" action="${PAGE}/people">
      <p>
        <label>User name <input name="user_name" type="email" required /></label>
        <label>Given name <input name="given_name" required /></label>
        <label>Family name <input name="family_name" required /></label>
        <button>Add user</button>
      </p>
    </form>
    <h2>Groups</h2>
    ${table(
      ['Name', 'Members', 'At the portal', 'Change'],
      records.groups().map((group) => groupRow(group, people)),
    )}
    <form method="post" action="${PAGE}/groups">
      <p>
        <label>Name <input name="name" required /></label> <button>Add group</button>
      </p>
    </form>
    <h2>Requests</h2>
    <form method="post" action="${PAGE}/provision">
      <p><button>Send changes again</button></p>
    </form>
    ${requestTable(records.requests())}`
}

const stateAt = ({ remote_id, problem, deleted }: Person | Group): Html =>
  problem !== null
    ? html`<strong class="wide">${problem}</strong>`
    : remote_id === null
      ? html`not sent`
      : deleted === 1
        ? html`to be deleted`
        : html`provisioned`

function personRow(person: Person): (string | Html)[] {
  const name = `${person.given_name} ${person.family_name}`
  const isActive = person.active === 1
  return [
    name,
    person.user_name,
    isActive ? 'active' : 'inactive',
    stateAt(person),
    html`<form method="post" action="${PAGE}/people/${person.number}/active">
      <button
        name="active"
        value="${isActive ? 'false' : 'true'}"
        aria-label="${isActive ? 'Deactivate' : 'Activate'} ${name}"
      >
        ${isActive ? 'Deactivate' : 'Activate'}
      </button>
      <button formaction="${PAGE}/people/${person.number}/delete" aria-label="Delete ${name}">Delete</button>
    </form>`,
  ]
}

function groupRow(group: Group, people: readonly Person[]): (string | Html)[] {
  const members = new Set(JSON.parse(group.members) as number[])
  const id = `group-${group.number}`
  return [
    group.name,
    html`<div class="wide">
      ${people.map(
        ({ number, given_name, family_name }) =>
          html`<label
            >${
              members.has(number)
                ? html`<input type="checkbox" name="member" value="${number}" form="${id}" checked />`
                : html`<input type="checkbox" name="member" value="${number}" form="${id}" />`
            }
            ${given_name} ${family_name}</label
          > `,
      )}
    </div>`,
    stateAt(group),
    html`<form id="${id}" method="post" action="${PAGE}/groups/${group.number}/members">
      <button aria-label="Save members of ${group.name}">Save</button>
      <button formaction="${PAGE}/groups/${group.number}/delete" aria-label="Delete ${group.name}">Delete</button>
    </form>`,
  ]
}

const requestTable = (requests: readonly SentRequest[]): Html =>
  requests.length === 0
    ? html`<p class="quiet">No request has been sent yet.</p>`
    : table(
        ['Sent', 'Request', 'Reply', 'Content'],
        requests.map(({ sent_at, request, status, body, reply }) => [
          formatInstant(iso(wholeSecond(sent_at))),
          html`<span class="wide">${decodeURIComponent(request)}</span>`,
          status === null ? 'none' : status,
          html`<details>
            <summary>Show</summary>
            <pre>${body}</pre>
            <pre>${reply}</pre>
          </details>`,
        ]),
      )
