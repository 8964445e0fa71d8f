import type { APIRequestContext, Browser, Page } from '@playwright/test'
import type { Portal } from '@trainyard/e2e/src/portal.ts'
import { type MachineRef, refOf } from '@trainyard/machines/contract/machine-ref.ts'
import { percentile, table } from './figures.ts'
import type { signIn } from './sign-in.ts'

const SCROLL_MS = 6_000
/** Limit in ms until a page shows a change of all machines. */
export const CHANGES_MS = 60_000
/** 95th percentile of the intervals between frames, in ms, on a CPU without a slowdown. */
export const FRAME_LIMIT = 17

export interface Figure {
  readonly label: string
  readonly figure: number
  /** Null if the value is only reported. */
  readonly limit: number | null
  readonly details: string
}

/** Prints the figures. Sets the exit code if a figure exceeds its limit. */
export function report(figures: readonly Figure[]): void {
  console.log(
    table(
      ['figure', '', 'limit', '', ''],
      figures.map(({ label, figure, limit, details }) => [
        label,
        figure.toFixed(1),
        limit === null ? '' : `${limit}`,
        limit === null ? '' : figure <= limit ? 'ok' : 'OVER',
        details,
      ]),
    ),
  )
  if (figures.some(({ figure, limit }) => limit !== null && figure > limit)) process.exitCode = 1
}

/** Returns the 95th percentile of the intervals. */
export const frameFigure = (label: string, frames: readonly number[], limit: number | null): Figure => ({
  label,
  figure: percentile(frames, 95),
  limit,
  details: `${frames.length} frames, longest ${Math.max(...frames).toFixed(1)}`,
})

interface Training {
  readonly name: string
  readonly machines: number
}

/** Orders a machine for each learner of a training, and waits until all run. */
export async function orderAll({ url }: Portal, page: Page, training: Training): Promise<void> {
  const email = Array.from({ length: training.machines }, (_, index) => `learner.${index + 1}@acme.test`)
  const reply = await page.request.post(`${url}/api/azure/machines`, {
    headers: { origin: url },
    data: {
      templateName: 'Ubuntu 24.04 Starter',
      email,
      trainingName: training.name,
      allocatedHours: 600,
      createVmCount: training.machines,
      guacamole: true,
    },
  })
  if (!reply.ok()) throw new Error(await reply.text())
  await untilAll({ url }, page, training, 'Running')
}

/** Waits until all machines of a training have a state. */
export async function untilAll(
  { url }: Pick<Portal, 'url'>,
  page: Page,
  training: Training,
  status: 'Running' | 'Stopped',
): Promise<void> {
  const end = Date.now() + 180_000
  while (Date.now() < end) {
    const list = await listMachines(page.request, url, training.name)
    if (list.length === training.machines && list.every((machine) => machine.status === status)) return
    await page.waitForTimeout(500)
  }
  throw new Error(`The machines were not ${status} within three minutes.`)
}

interface ListedMachine extends MachineRef {
  readonly status: string
}

export async function listMachines(
  request: APIRequestContext,
  url: string,
  training: string,
): Promise<ListedMachine[]> {
  const reply = await request.get(`${url}/api/azure/machines`, { params: { trainingName: training } })
  return (await reply.json()) as ListedMachine[]
}

/** Stops or starts all machines of a training with one call, as another browser window would. */
export async function powerAll(
  { url }: Portal,
  page: Page,
  training: Training,
  target: 'Running' | 'Stopped',
): Promise<void> {
  const machineRefs = (await listMachines(page.request, url, training.name)).map(refOf)
  const reply = await page.request.patch(`${url}/api/azure/machines`, {
    headers: { origin: url },
    data: [{ operation: target === 'Running' ? 1 : 0 }, ...machineRefs],
  })
  if (!reply.ok()) throw new Error(await reply.text())
}

interface OpenOptions {
  readonly path: string
  /** Selector of an element of the loaded screen. */
  readonly readyAt: string
  readonly slowdown: number
  readonly viewport: { readonly width: number; readonly height: number }
}

export async function openScreen(
  { url }: Portal,
  browser: Browser,
  storageState: Awaited<ReturnType<typeof signIn>>,
  { path, readyAt, slowdown, viewport }: OpenOptions,
): Promise<Page> {
  const context = await browser.newContext({ storageState, viewport })
  const page = await context.newPage()
  await page.goto(url + path)
  await page.locator(readyAt).first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** Returns the intervals between the frames of a page, in ms, until `action` resolves. */
export async function framesOf(page: Page, action: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = []
    globalThis.watching = true
    let last = performance.now()
    requestAnimationFrame(function next(now) {
      frames_.push(now - last)
      last = now
      if (watching) requestAnimationFrame(next)
    })
  `)
  await action()
  const all = await page.evaluate<number[]>('watching = false, frames_')
  // The first interval ends when the recording starts.
  return all.slice(2)
}

/** Scrolls down and up. */
export async function scroll(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    let down = true
    requestAnimationFrame(function next(now) {
      if (now - began > ${SCROLL_MS}) return resolve()
      const before = scrollY
      scrollBy({ top: down ? 54 : -54, behavior: 'instant' })
      if (scrollY === before) down = !down
      requestAnimationFrame(next)
    })
  })`)
  await page.evaluate('scrollTo(0, 0)')
}
