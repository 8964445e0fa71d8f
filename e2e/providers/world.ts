import { expect } from 'vitest'
import type { CapturedImage } from '@trainyard/machines/contract/image.ts'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openMessage, openPage, type TestPage } from '@trainyard/remote-access/test/terminal-page.ts'
import { type Portal, startPortal } from '../src/portal.ts'
import type { TestProvider } from './provider.ts'

/** Factor on the durations of emulated operations. */
const LATENCY = 0.02

/** Waits until the page of a terminal, or of someone who watches it, has printed the text. Returns all that it printed. */
export const untilPrinted = (page: { printed(): string }, text: string): Promise<string> =>
  until(
    `the terminal prints ${text}`,
    async () => page.printed(),
    (all) => all.includes(text),
    30_000,
  )

/** Trainings for which the suite orders machines. The names of the machines begin like them. */
export const TRAININGS = [
  ...(['Life', 'Lost', 'Handed', 'Copies', 'Limited', 'Killed'] as const),
  ...(['Neighbours', 'Refused', 'Full', 'Daemon', 'Kills'] as const),
] as const
type Training = (typeof TRAININGS)[number]

export type World = Awaited<ReturnType<typeof startWorld>>

/** Starts the whole product with the provider, and the functions with which a test uses it as people do. */
export async function startWorld(provider: TestProvider) {
  const portal: Portal = await startPortal(LATENCY, () => provider.settings)
  const { admin, superadmin, organization, card } = await provider.prepare(portal)
  const tokens = new Map<string, string>()

  async function tokenOf(email: string): Promise<string> {
    const known = tokens.get(email) ?? (await portal.sessionOf(email))
    tokens.set(email, known)
    return known
  }

  /** How a person opens the sockets of the portal. */
  const wayOf = async (email: string) => ({ url: `${portal.url}/api`, token: await tokenOf(email) })

  async function send(email: string, method: string, path: string, body?: unknown) {
    const response = await fetch(`${portal.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${await tokenOf(email)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as never }
  }

  /** Sends a request that must succeed. */
  async function call<Reply = unknown>(email: string, method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await send(email, method, path, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body
  }

  const machines = (training: string) =>
    call<Machine[]>(admin, 'GET', `/azure/machines?trainingName=${encodeURIComponent(training)}`)

  const machine = async (name: string, training: string): Promise<Machine> =>
    (await machines(training)).find((each) => each.name === name)!

  const untilMachines = (training: string, what: string, condition: (all: Machine[]) => boolean, ms?: number) =>
    until(`${training}: ${what}`, () => machines(training), condition, ms)

  /** Waits until the machine has the status at the portal and at the provider. */
  async function untilStatus(name: string, training: string, status: Machine['status']): Promise<Machine> {
    await untilMachines(training, `${name} is ${status}`, (all) => {
      const found = all.find((each) => each.name === name)
      return found?.status === status && (status !== 'Running' || found.publicIp !== null)
    })
    if (status === 'Running' || status === 'Stopped')
      await until(
        `the provider reports ${name} as ${status}`,
        async () => (await provider.machines(portal)).get(name),
        (runs) => runs === (status === 'Running'),
      )
    return machine(name, training)
  }

  /** Orders machines and waits until they run. */
  async function order(training: Training, count: number, templateName = card): Promise<Machine[]> {
    await place(training, count, templateName)
    return untilMachines(
      training,
      `${count} machines run`,
      (all) => all.length === count && all.every(({ status, publicIp }) => status === 'Running' && publicIp !== null),
    )
  }

  const trainings = new Set<string>()
  const place = (training: Training, count: number, templateName = card) => {
    trainings.add(training)
    return call(admin, 'POST', '/azure/machines', {
      templateName,
      email: Array.from({ length: count }, (_, i) => `learner${i + 1}@${training.toLowerCase()}.test`),
      trainingName: training,
      allocatedHours: null,
      createVmCount: count,
      guacamole: true,
    })
  }

  const power = (operation: 0 | 1, ...all: Machine[]) =>
    send(admin, 'PATCH', '/azure/machines', [
      { operation },
      ...all.map(({ name, resourceGroup }) => ({ name, resourceGroup })),
    ])

  /** Opens the terminal of a machine once it can be opened. */
  async function openTerminal(name: string, email = admin): Promise<TestPage> {
    const page = await until(
      `the terminal of ${name} opens`,
      async () => {
        const ticket = await send(email, 'POST', '/remote/ticket', { vmName: name })
        if (ticket.status !== 200) return null
        const opened = await openPage(await wayOf(email))
        opened.send(openMessage(name, (ticket.body as { password: string }).password, 200))
        const isOpen = await opened.firstMessage('opened').then(
          () => true,
          () => false,
        )
        return isOpen ? opened : null
      },
      (opened) => opened !== null,
      60_000,
    )
    return page!
  }

  /** Runs a command in a terminal of the portal, and returns its output. */
  async function run(name: string, command: string): Promise<string> {
    const page = await openTerminal(name)
    try {
      const printed = (text: string) => untilPrinted(page, text)
      await printed('$ ')
      // The marks are put together by the shell, so that the echo of the command does not contain them.
      page.type(`echo be"gin"; ${command}; echo en"ded"\n`)
      const all = (await printed('ended')).replaceAll('\r', '')
      return all.slice(all.lastIndexOf('begin') + 'begin'.length, all.lastIndexOf('ended')).trim()
    } finally {
      page.close()
    }
  }

  /** Waits for the image of a machine. */
  async function untilCaptured(name: string, ms?: number): Promise<CapturedImage> {
    const image = await until(
      `the image of ${name} is made`,
      async () => {
        const { images } = await call<{ images: CapturedImage[] }>(superadmin, 'GET', '/admin/images')
        return images.find(({ machine }) => machine === name)
      },
      (found) => found?.status === 'Ready' || found?.status === 'Failed',
      ms,
    )
    expect(image).toMatchObject({ status: 'Ready' })
    return image!
  }

  return {
    portal,
    provider,
    admin,
    superadmin,
    organization,
    card,
    /** Trainings for which machines were ordered. */
    trainings,
    send,
    call,
    machines,
    machine,
    untilMachines,
    untilStatus,
    order,
    place,
    power,
    run,
    wayOf,
    openTerminal,
    untilCaptured,
    /** Makes the portal compare itself with the provider at once. */
    sweep: () => portal.runTask('compare machines with the provider'),
  }
}
