import { sql } from 'kysely'
import { afterEach } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openMessage, openPage, type TestPage } from './terminal-page.ts'

export const TRAINING = 'Linux in the browser'

/** Starts two running machines, users with and without access to them, and functions that open their terminals. */
export async function sharedTerminals({
  os = 'Linux',
  prepare,
}: {
  readonly os?: 'Linux' | 'Windows'
  /** Called before the machines are ordered. */
  readonly prepare?: (env: TestEnvironment) => Promise<void>
} = {}) {
  const env = await sharedEnvironment()
  await env.worker()
  const acme = await env.organisation('Acme')
  const globex = await env.organisation('Globex')
  const admin = await env.signIn('admin', 'admin@acme.test', acme)
  const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
  if (os === 'Windows') {
    const id = 'MicrosoftWindowsServer:WindowsServer:2022-datacenter-azure-edition:latest'
    await env.db.updateTable('template').set({ os, image: { id } }).execute()
  }
  await prepare?.(env)
  await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test', 'two@acme.test']))
  const learner = await env.signIn('user', 'one@acme.test', acme)
  const other = await env.signIn('user', 'two@acme.test', acme)
  const { url } = await env.credentials('admin@acme.test')
  const tokens = new Map<string, string>()
  for (const email of ['admin@acme.test', 'one@acme.test', 'two@acme.test', 'admin@globex.test']) {
    tokens.set(email, (await env.credentials(email)).token)
  }
  const pages: TestPage[] = []
  afterEach(() => {
    for (const page of pages.splice(0)) page.close()
  })

  const running = (count: number) =>
    until(
      'the machines run',
      () => machinesOf(admin, TRAINING),
      (machines) =>
        machines.filter(({ status, publicIp }) => status === 'Running' && publicIp !== null).length === count,
    )
  const machineOf = async (email: string): Promise<Machine> =>
    (await machinesOf(admin, TRAINING)).find((machine) => machine.email === email)!

  async function ticketFor(email: string, vmName: string): Promise<string> {
    const response = await fetch(`${url}/remote/ticket`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get(email)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ vmName }),
    })
    const body = (await response.json()) as { password: string; message: string }
    if (!response.ok) throw new Error(`${response.status}: ${body.message}`)
    return body.password
  }

  async function pageOf(email: string): Promise<TestPage> {
    const page = await openPage({ url, token: tokens.get(email)! })
    pages.push(page)
    return page
  }

  /** Presents a ticket. Returns the sentence of the refusal. */
  async function refusal(email: string, machine: string, ticket: string): Promise<string> {
    const page = await pageOf(email)
    page.send(openMessage(machine, ticket))
    return (await page.firstMessage('ended')).sentence
  }

  async function terminal(email = 'one@acme.test', of = email): Promise<{ page: TestPage; machine: Machine }> {
    const machine = await machineOf(of)
    const page = await pageOf(email)
    page.send(openMessage(machine.name, await ticketFor(email, machine.name)))
    await page.firstMessage('opened')
    await waitForOutput(page, '$ ')
    return { page, machine }
  }

  const waitForOutput = (page: TestPage, text: string) =>
    until(
      `the terminal prints ${text}`,
      async () => page.printed(),
      (printed) => printed.includes(text),
    )
  const rows = async () =>
    (
      await sql<{ open: number; ended: string[] }>`
      select count(*) filter (where closed_at is null)::int as open,
        array_agg(ended order by closed_at) filter (where ended is not null) as ended from remote_session`.execute(
        env.db,
      )
    ).rows[0]!

  await running(2)
  return {
    env,
    acme,
    globex,
    url,
    admin,
    learner,
    other,
    stranger: foreignAdmin,
    tokens,
    pages,
    running,
    machineOf,
    ticketFor,
    pageOf,
    refusal,
    terminal,
    prints: waitForOutput,
    rows,
  }
}
