import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { azureCredential } from '@trainyard/azure/server/credentials.ts'
import { forwardTo } from '@trainyard/azure/server/forward.ts'
import { errorIn } from '@trainyard/azure/server/error-body.ts'
import { OUTCOMES } from '@trainyard/azure/server/outcome-table.ts'
import type { ErrorExample, OutcomeRow } from '@trainyard/azure/server/outcome.ts'
import { refusalFacts } from '@trainyard/azure/server/refusal-facts.ts'
import { oneLine, sentenceWith } from '../server/providers/errors.ts'
import { machinesOf, order, template } from './orders.ts'
import { sharedEnvironment } from './shared.ts'
import { until } from './until.ts'

/** Calls of a machine's creation, by the operations of the table of outcomes. */
const CALLS: Readonly<Record<string, string>> = {
  'PUT resourcegroups': 'ResourceGroups_CreateOrUpdate',
  'PUT microsoft.network/virtualnetworks': 'VirtualNetworks_CreateOrUpdate',
  'PUT microsoft.network/networkinterfaces': 'NetworkInterfaces_CreateOrUpdate',
  'PUT microsoft.network/publicipaddresses': 'PublicIPAddresses_CreateOrUpdate',
  'PUT microsoft.compute/virtualmachines': 'VirtualMachines_CreateOrUpdate',
}
const LASTING: ReadonlySet<string> = new Set(['capacity', 'quota', 'refused', 'unauthorised'])

/** Error replies that end a creation, or delay it until something changes at Azure. */
const REFUSALS = OUTCOMES.filter(
  ({ outcome }) => outcome.is === 'final' || (outcome.is === 'wait' && LASTING.has(outcome.kind)),
)
  .flatMap((row) => row.examples.map((example) => ({ row, example })))
  .filter(({ example: [operation] }) => operation in CALLS)
  .map((refusal, index) => ({ ...refusal, name: `r${index}x`, code: refusal.example[2].code }))

const httpClient = createDefaultHttpClient()
let emulatorUrl = ''
const env = await sharedEnvironment({
  overrides: {
    azure: {
      credential: azureCredential({
        tenantId: '00000000-0000-4000-8000-000000000002',
        clientId: '00000000-0000-4000-8000-000000000003',
        proof: { kind: 'secret', secret: 'emulator' },
        httpClient: { sendRequest: (request) => forwardTo(emulatorUrl, httpClient).sendRequest(request) },
      }),
    },
  },
})
emulatorUrl = env.emulator.url
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

/** Creates a template whose resource names begin with `name`. Orders a machine from the template. */
async function orderFrom(name: string): Promise<void> {
  const own = { ...template(), name, place: { ...template().place, group: `${name}-group`, network: `${name}-net` } }
  await env.db.insertInto('template').values(own).execute()
  await sql`insert into template_assignment (organisation_id, template_id)
    select o.id, t.id from organisation o, template t where o.name = 'Acme Learning' and t.name = ${name}`.execute(
    env.db,
  )
  const request = order(name, [`${name}@acme.test`], { templateName: name })
  expect(await admin('POST', '/azure/machines', request)).toMatchObject({ status: 200 })
}

/** Waits until the machine shows a reason. Returns the reasons that machine, template and operation show. */
async function reasonsOf(name: string) {
  const [machine] = await until(
    `the machine of ${name} is refused`,
    () => machinesOf(admin, name),
    ([found]) => typeof found?.statusReason === 'string',
  )
  const { body: list } = await admin('GET', '/azure/templates?organization=Acme%20Learning')
  const { body } = await admin('GET', `/azure/operations?vmName=${machine!.name}`)
  return {
    machine: machine!.statusReason,
    template: (list.templates as { name: string; refusal: string | null }[]).find((each) => each.name === name)!
      .refusal,
    operation: (body.operations as { reason: string | null }[])[0]!.reason,
  }
}

/** Returns a pattern of the sentence of the table, with any resource as the subject of the action. */
function sentenceOf(row: OutcomeRow, [, , error]: ErrorExample): RegExp {
  const facts = refusalFacts('ACTION', errorIn(JSON.stringify({ error })))
  const shown = Object.fromEntries(Object.entries(facts).map(([fact, value]) => [fact, oneLine(String(value))]))
  const parts = sentenceWith(row.sentences, shown)!.split('ACTION')
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.+')}$`)
}

beforeAll(async () => {
  await env.control('POST', '/_tenant', { secretEndsAt: '2020-01-01T00:00:00Z' })
  await env.worker()
})

test('names an expired client secret on machine, template and order, and runs after its renewal', async () => {
  await orderFrom('signin')
  const sentence =
    'The portal could not sign in to Entra: the client secret has expired (AADSTS7000222). Create a new one under App registrations, Certificates & secrets, set AZURE_CLIENT_SECRET and restart.'
  expect(await reasonsOf('signin')).toEqual({ machine: sentence, template: sentence, operation: sentence })
  await env.control('POST', '/_tenant', {})
  await env.step(120)
  await until(
    'it runs',
    () => machinesOf(admin, 'signin'),
    ([found]) => found?.status === 'Running',
  )
  const { body } = await admin('GET', '/azure/templates?organization=Acme%20Learning')
  expect(body.templates).toContainEqual(expect.objectContaining({ name: 'signin', refusal: null }))
})

test('machine, template and order show the sentence of each refusal by Azure', async () => {
  for (const { name, example } of REFUSALS) {
    const [operation, status, error] = example
    const fault = { kind: 'refuse', operation: CALLS[operation], name: `${name}-*`, status, error }
    expect(await env.control('POST', '/_faults', fault)).toMatchObject({ status: 201 })
    await orderFrom(name)
  }
  expect(REFUSALS.length).toBeGreaterThan(20)
  for (const { name, row, example, code } of REFUSALS) {
    const sentence = expect.stringMatching(sentenceOf(row, example))
    expect({ code, ...(await reasonsOf(name)) }).toEqual({
      code,
      machine: sentence,
      template: sentence,
      operation: sentence,
    })
  }
  expect(env.bugs).toEqual([])
})
