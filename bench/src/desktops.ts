import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { connect } from '@trainyard/server/src/db/client.ts'
import { embeddedPlace } from '@trainyard/server/src/db/embedded/place.ts'
import { processOf } from '@trainyard/server/src/start/test-processes.ts'
import { openMessage, openPage, type TestPage } from '@trainyard/server/test/terminal-page.ts'
import { median, table } from './figures.ts'
import { memoryOf } from './load/memory.ts'
import { cpuUsage } from './load/cpu.ts'
import { signIn } from './sign-in.ts'
import { sessionOf } from '@trainyard/server/test/session-of.ts'

/** Measures one API with open terminals and desktops of many learners: CPU, memory and frame rate. */
const [TERMINALS, DESKTOPS] = [200, 20]
const SECONDS = 15
const FRAMES_A_SECOND = 10
const TRAININGS = {
  terminals: { trainingName: 'Terminals', templateName: 'Ubuntu 24.04 Starter', count: TERMINALS },
  desktops: { trainingName: 'Desktops', templateName: 'Windows Server 2022', count: DESKTOPS },
} as const
/** A point on the button of the emulated desktop that starts its animation. */
const SWITCH = { x: 90, y: 40 }
/** Part of the animation. A frame counts if its pixels differ from the previous frame. */
const STRIP = { x: 180, y: 24, width: 600, height: 32 }

interface ListedMachine {
  readonly name: string
  readonly email: string
  readonly isRunning: boolean
  readonly publicIp: string | null
}

const portal = await startPortal(0)
const browser = await chromium.launch(await findBrowser())
const owner = connect({ connectionString: embeddedPlace(portal.dataDir).url }, { size: 1, as: 'owner' })
const api = `${portal.url}/api`
const terminals: TestPage[] = []
const admin = await (await browser.newContext({ storageState: await signIn(browser, portal.url) })).newPage()
try {
  await admin.goto(portal.url)
  const pid = processOf('api', portal.pid, portal.dataDir)!
  const coresUsed = cpuUsage(pid, portal.dataDir)
  const rows: string[][] = []
  const measure = async (label: string, extraColumn: () => Promise<string> = async () => '') => {
    coresUsed()
    await pause(SECONDS * 1_000)
    const cores = coresUsed()
    rows.push([
      label,
      ...[cores.api, cores.postgres].map((each) => Math.max(0, each).toFixed(2)),
      `${memoryOf(pid)}`,
      await extraColumn(),
    ])
    console.log(rows.at(-1)!.join('  '))
  }

  const machines = { terminals: await orderMachines('terminals'), desktops: await orderMachines('desktops') }
  await measure('nothing open')
  const promptTimes: number[] = []
  for (const machine of machines.terminals) promptTimes.push(await openTerminal(machine))
  await measure(`${TERMINALS} terminals`, async () => `prompt after ${median(promptTimes).toFixed(0)} ms (median)`)
  const typing = setInterval(() => {
    for (const page of terminals) page.type('seq 40\n')
  }, 1_000)
  await measure(
    `${TERMINALS} terminals, each printing 40 lines per second`,
    async () => `${receivedKilobytes()} kB received`,
  )
  clearInterval(typing)

  const pages: Page[] = []
  for (const machine of machines.desktops) pages.push(await openDesktop(machine))
  await measure(`${TERMINALS} terminals and ${DESKTOPS} desktops`)
  const [first] = pages
  await first!.locator('canvas').click({ position: SWITCH })
  let frames = 0
  await measure('one desktop playing an animation', async () => {
    frames = await framesOf(first!)
    return `${frames.toFixed(1)} frames per second`
  })
  for (const page of pages.slice(1)) await page.locator('canvas').click({ position: SWITCH })
  await measure(
    `all ${DESKTOPS} desktops playing an animation`,
    async () => `${(await framesOf(first!)).toFixed(1)} frames per second`,
  )

  console.log(table(['', 'api cores', 'postgres', 'api MB', ''], rows))
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)
  if (frames < FRAMES_A_SECOND) {
    console.log(
      `An animated desktop reaches ${frames.toFixed(1)} frames per second; the minimum is ${FRAMES_A_SECOND}.`,
    )
    process.exitCode = 1
  }
} finally {
  for (const page of terminals) page.close()
  await browser.close()
  await owner.destroy()
  await portal.stop()
}

async function orderMachines(kind: keyof typeof TRAININGS): Promise<ListedMachine[]> {
  const { trainingName, templateName, count } = TRAININGS[kind]
  const email = Array.from({ length: count }, (_, index) => `${kind}.${index + 1}@acme.test`)
  const reply = await admin.request.post(`${api}/azure/machines`, {
    headers: { origin: portal.url },
    data: { templateName, email, trainingName, allocatedHours: 600, createVmCount: count, guacamole: true },
  })
  if (!reply.ok()) throw new Error(await reply.text())
  for (let attempt = 0; attempt < 360; attempt++) {
    const list = await admin.request.get(`${api}/azure/machines`, { params: { trainingName } })
    const listed = (await list.json()) as ListedMachine[]
    if (listed.length === count && listed.every(({ isRunning, publicIp }) => isRunning && publicIp !== null))
      return listed
    await pause(500)
  }
  throw new Error(`The machines of ${trainingName} did not start within three minutes.`)
}

async function openTicket({ email, name }: ListedMachine): Promise<{ token: string; ticket: string }> {
  const token = await sessionOf(owner, email)
  const reply = await fetch(`${api}/remote/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vmName: name }),
  })
  if (!reply.ok) throw new Error(await reply.text())
  return { token, ticket: ((await reply.json()) as { password: string }).password }
}

async function openTerminal(machine: ListedMachine): Promise<number> {
  const { token, ticket } = await openTicket(machine)
  const startedAt = performance.now()
  const page = await openPage({ url: api, token })
  page.send(openMessage(machine.name, ticket))
  await page.firstMessage('opened')
  while (!page.printed().includes('$ ')) await pause(5)
  terminals.push(page)
  return performance.now() - startedAt
}

/** Opens the desktop as the training's admin, because a learner would need a separate browser context. */
async function openDesktop({ name }: ListedMachine): Promise<Page> {
  const reply = await admin.request.post(`${api}/remote/ticket`, {
    headers: { origin: portal.url },
    data: { vmName: name },
  })
  if (!reply.ok()) throw new Error(await reply.text())
  const { password } = (await reply.json()) as { password: string }
  const page = await admin.context().newPage()
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.goto(`${portal.url}/remote/#/?${new URLSearchParams({ username: name, password })}`)
  await page.getByText('Connected as learner').waitFor()
  return page
}

function receivedKilobytes(): number {
  return Math.round(terminals.reduce((sum, page) => sum + page.received(), 0) / 1_000)
}

function framesOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const desktop = document.querySelector('canvas')
    const strip = new OffscreenCanvas(${STRIP.width}, ${STRIP.height}).getContext('2d', { willReadFrequently: true })
    const began = performance.now()
    let [frames, last] = [0, '']
    requestAnimationFrame(function next(now) {
      strip.drawImage(desktop, ${STRIP.x}, ${STRIP.y}, ${STRIP.width}, ${STRIP.height}, 0, 0, ${STRIP.width}, ${STRIP.height})
      const seen = new Uint32Array(strip.getImageData(0, ${STRIP.height / 2}, ${STRIP.width}, 1).data.buffer).join()
      if (seen !== last) frames += 1
      last = seen
      if (now - began < ${SECONDS * 1_000}) requestAnimationFrame(next)
      else resolve(frames / ((now - began) / 1_000))
    })
  })`)
}
